// Draws Slack messages, as npm slack-blocks-to-jsx sees them, to one static page: node draw.mjs < messages.json > page.html
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const need = createRequire(join(here, 'draw.mjs'))
const React = need('react')
const { renderToStaticMarkup } = need('react-dom/server')
const dist = join(here, 'node_modules', 'slack-blocks-to-jsx', 'dist')
const { Message } = await import(pathToFileURL(join(dist, 'index.mjs')))
const blank = 'data:image/gif;base64,R0lGODlhAQABAIAAAEpsfwAAACwAAAAAAQABAAACAkQBADs='
const data = { users: [], channels: [], user_groups: [] }
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
const message = (blocks) => renderToStaticMarkup(React.createElement(Message,
  { blocks, data, name: 'Footnote', logo: blank, time: new Date(1772442600000) }))
const file = ({ name, picture }) => picture
  ? `<figure><figcaption>${escaped(name)}</figcaption><img src="${picture}"></figure>`
  : `<figure><span class="file">${escaped(name)}</span></figure>`
// The drawing leaves a choice empty that was made beforehand; Slack shows it.
const filled = (block) => {
  const chosen = block.element?.type === 'static_select' && block.element.initial_option
  return chosen ? { ...block, element: { ...block.element, placeholder: chosen.text } } : block
}
const view = ({ blocks, title, submit, close }) => {
  const buttons = submit ? `<footer><span>${escaped(close.text)}</span><b>${escaped(submit.text)}</b></footer>` : ''
  return `<div class="view"><h1>${escaped(title.text)}</h1>${message(blocks.map(filled))}${buttons}</div>`
}
const drawn = JSON.parse(readFileSync(0, 'utf8')).map((one) =>
  one.view ? view(one.view) : message(one.blocks) + (one.files ?? []).map(file).join(''))
process.stdout.write(`<!doctype html><meta charset="utf-8"><style>${readFileSync(join(dist, 'style.css'), 'utf8')}
body{margin:16px;width:720px;background:#fff;font:15px/1.46 Lato,"Noto Sans","Liberation Sans",sans-serif}
figure{margin:4px 0 12px 60px}figcaption,.file{font-size:13px;color:#616061}img{max-width:420px;border:1px solid #ddd;border-radius:8px}
.file{display:inline-block;padding:10px 14px;border:1px solid #ddd;border-radius:8px;color:#1d1c1d;font-weight:700}
section.slack_blocks_to_jsx{margin-bottom:20px}.view section.slack_blocks_to_jsx{margin:0}
.view{width:520px;margin:0 0 24px;padding:0 20px 16px;border:1px solid #ddd;border-radius:10px;box-shadow:0 2px 10px #0002}
.view .shrink-0:has(>img),.view .slack_blocks_to_jsx--header{display:none!important}
.view h1{font-size:20px;font-weight:800;margin:14px 0 4px}
footer{display:flex;justify-content:flex-end;gap:10px;margin-top:14px}footer>*{padding:6px 14px;border:1px solid #bbb;border-radius:6px}
footer b{background:#007a5a;border-color:#007a5a;color:#fff}</style>${drawn.join('\n')}`)
