// A Slack workspace that somebody else wrote (npm "emulate"), with its events sent to EVENTS_URL.
// node workspace.mjs PORT EVENTS_URL [strict]   POST /_reset on PORT+1 begins a new workspace.
import { createServer } from 'node:http'
import net from 'node:net'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const [port, events, strict] = process.argv.slice(2)
const dist = join(dirname(fileURLToPath(import.meta.url)), 'node_modules', 'emulate', 'dist')
// On this machine alone: the package would listen everywhere.
const listen = net.Server.prototype.listen
net.Server.prototype.listen = function (where, ...rest) {
  const at = typeof where === 'object' ? { ...where, host: '127.0.0.1' } : { port: where, host: '127.0.0.1' }
  return listen.call(this, at, ...rest.filter((one) => typeof one === 'function'))
}
const load = (name) => import(pathToFileURL(join(dist, name)))
const { createEmulator } = await load('api.js')

// The package subscribes nobody to its events from outside; the plugin is handed a dispatcher, which takes one.
for (const name of readdirSync(dist).filter((one) => /^dist-.*\.js$/.test(one))) {
  const { slackPlugin } = await load(name)
  if (!slackPlugin) continue
  const register = slackPlugin.register
  slackPlugin.register = function (app, store, dispatcher, ...rest) {
    dispatcher.register({ url: events, events: ['*'], active: true, owner: 'slack' })
    // Ten times Slack's three seconds: a busy machine is no test of those; that a trigger has run out is a fault on demand.
    const triggers = store.collection('slack.view_triggers', ['trigger_id', 'user_id', 'view_id'])
    const insert = triggers.insert.bind(triggers)
    triggers.insert = (row) => insert({ ...row, expires_at: row.expires_at + 27 })
    return register.call(this, app, store, dispatcher, ...rest)
  }
}

const scopes = ['app_mentions:read', 'assistant:write', 'channels:history', 'channels:manage', 'channels:read',
  'channels:write', 'channels:join', 'chat:write', 'commands', 'files:read', 'files:write', 'groups:history', 'groups:read', 'groups:write',
  'im:history', 'im:read', 'im:write', 'mpim:history', 'mpim:read', 'mpim:write', 'reactions:read', 'reactions:write',
  'team:read', 'users:read']
const bot = { type: 'bot', user: 'U00000BOT', user_id: 'U00000BOT', app_id: 'A000000001', bot_id: 'B00000BOT',
  bot_user_id: 'U00000BOT', scopes: strict ? ['chat:write', 'channels:read', 'users:read', 'groups:read'] : scopes }
const people = ['alice', 'bob', 'gus']
const slack = await createEmulator({
  service: 'slack', port: Number(port), baseUrl: `http://127.0.0.1:${port}`,
  seed: { slack: {
    team: { name: 'Lab', domain: 'lab' },
    users: people.map((name) => ({ name, real_name: name[0].toUpperCase() + name.slice(1), is_admin: name === 'bob' })),
    channels: [{ name: 'papers' }, { name: 'reading' }, { name: 'secret', is_private: true }],
    oauth_apps: [{ client_id: '1.2', client_secret: 'cs', app_id: 'A000000001', name: 'Footnote', bot_name: 'footnote',
      redirect_uris: ['http://127.0.0.1:3999/slack/oauth_redirect'], scopes, bot_id: 'B00000BOT', bot_user_id: 'U00000BOT' }],
    // The package counts 5,000 calls an hour for a token; the front spreads the bot's calls over several.
    tokens: [...Array.from({ length: 40 }, (_, n) => ({ ...bot, token: `xoxb-test-${n}` })),
      ...people.map((name) => ({ token: `xoxp-${name}`, type: 'user', user: name, scopes }))],
    signing_secret: 'unused', strict_scopes: Boolean(strict),
  } },
})
createServer((request, answer) => { slack.reset(); answer.end('{}') })
  .listen(Number(port) + 1, () => console.log('up'))
