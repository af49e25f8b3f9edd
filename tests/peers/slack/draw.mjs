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
const drawn = JSON.parse(readFileSync(0, 'utf8')).map(({ blocks }) =>
  renderToStaticMarkup(React.createElement(Message, { blocks, data, name: 'Footnote', logo: blank, time: new Date(1772442600000) })))
process.stdout.write(`<!doctype html><meta charset="utf-8"><style>${readFileSync(join(dist, 'style.css'), 'utf8')}
body{margin:16px;width:720px;background:#fff;font:15px/1.46 Lato,"Noto Sans","Liberation Sans",sans-serif}</style>${drawn.join('\n')}`)
