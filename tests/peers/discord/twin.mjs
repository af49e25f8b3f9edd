// A Discord that somebody else wrote (npm discord-digital-twin), with a door for the tests.
// node twin.mjs: prints one line of JSON (where it listens), then answers POST /NAME with JSON on its control port.
// Two things are done here and not by the twin: Discord gives a thread the id of the message that it hangs on, and
// makes the message of a deferred answer at once.
import http from 'node:http'
import { DigitalDiscord, generateSnowflake } from 'discord-digital-twin'

// View, send, read history, react, attach, threads: what a server lets everybody do, and the bot with them.
const EVERYBODY = String((1n << 6n) | (1n << 10n) | (1n << 11n) | (1n << 14n) | (1n << 15n) | (1n << 16n) | (1n << 35n) | (1n << 38n))

const twin = new DigitalDiscord({
  guild: { name: 'Lab', channels: [{ name: 'papers', type: 0 }] },
  users: [{ username: 'alice' }, { username: 'bob' }],
  botToken: 'token-of-the-test',
})
await twin.start()
await twin.prisma.role.updateMany({ data: { permissions: EVERYBODY } })
const people = await twin.prisma.user.findMany({ where: { bot: false } })
const where = {
  origin: twin.restUrl.replace(/\/api$/, ''),
  token: twin.botToken,
  bot: twin.botUserId,
  guild: twin.guildId,
  people: Object.fromEntries(people.map((one) => [one.username, one.id])),
}

const as = ({ channel, user }) => twin.channel(channel).user(user)

const doors = {
  say: (b) => as(b).sendMessage({ content: b.text, attachments: b.attachments, messageReference: b.reference }),
  edit: (b) => as(b).editMessage({ messageId: b.message, content: b.text }),
  erase: (b) => as(b).deleteMessage({ messageId: b.message }),
  slash: (b) => as(b).runSlashCommand({ name: b.name, options: b.options }),
  press: (b) => as(b).clickButton({ messageId: b.message, customId: b.button }),
  submit: (b) => as(b).submitModal({ customId: b.form, fields: b.fields }),
  messages: (b) => twin.channel(b.channel).getMessages(),
  threads: (b) => twin.channel(b.channel).getThreads(),
  channel: async (b) => {
    const id = generateSnowflake()
    await twin.prisma.channel.create({ data: { id, guildId: twin.guildId, type: 0, name: b.name } })
    const channel = await twin.channel(id).getChannel()
    twin.server.gateway.broadcast('CHANNEL_CREATE', channel)
    return channel
  },
  direct: async (b) => {
    // One conversation with each person, which the twin has no call for.
    const name = `direct-${b.user}`
    const known = await twin.prisma.channel.findFirst({ where: { type: 1, name } })
    const { id } = known ?? (await twin.prisma.channel.create({ data: { id: generateSnowflake(), type: 1, name } }))
    const person = await twin.prisma.user.findUnique({ where: { id: b.user } })
    const recipient = { id: person.id, username: person.username, discriminator: '0', avatar: null }
    return { id, type: 1, last_message_id: null, recipients: [recipient] }
  },
  answered: async (b) => {
    // Discord makes the message of a deferred answer at once, the twin at its first edit.
    const found = await twin.prisma.interactionResponse.findUnique({ where: { interactionId: b.interaction } })
    if (found.messageId) return found.messageId
    const id = generateSnowflake()
    await twin.prisma.message.create({
      data: {
        id, channelId: found.channelId, authorId: twin.botUserId, content: '', flags: 128, embeds: '[]',
        components: '[]', webhookId: found.applicationId, applicationId: found.applicationId, type: 0,
      },
    })
    await twin.prisma.interactionResponse.update({ where: { interactionId: b.interaction }, data: { messageId: id } })
    return id
  },
  thread: async (b) => {
    const parent = await twin.prisma.channel.findUnique({ where: { id: b.channel } })
    const message = await twin.prisma.message.findUnique({ where: { id: b.message } })
    if (!parent || !message) return { status: 404, code: message ? 10003 : 10008 }
    if (await twin.prisma.channel.findUnique({ where: { id: b.message } })) return { status: 400, code: 160004 }
    await twin.prisma.channel.create({
      data: {
        id: b.message, guildId: parent.guildId, type: 11, name: b.name, parentId: b.channel, ownerId: twin.botUserId,
        autoArchiveDuration: 1440, archiveTimestamp: new Date(), starterMessageId: b.message, memberCount: 1,
      },
    })
    await twin.prisma.threadMember.create({ data: { channelId: b.message, userId: twin.botUserId } })
    const thread = { ...(await twin.channel(b.message).getChannel()), newly_created: true }
    twin.server.gateway.broadcast('THREAD_CREATE', thread)
    return { status: 201, thread }
  },
}

const control = http.createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  try {
    const told = await doors[request.url.slice(1)](body ? JSON.parse(body) : {})
    response.end(JSON.stringify(told ?? null, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
  } catch (fault) {
    response.statusCode = 500
    response.end(JSON.stringify({ fault: String(fault?.stack ?? fault) }))
  }
})
control.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ ...where, control: `http://127.0.0.1:${control.address().port}` })),
)
process.on('SIGTERM', async () => {
  await twin.stop()
  process.exit(0)
})
