import { createHmac } from 'node:crypto'
import { permittedUser } from '../../../access/viewer.ts'
import { visibleJobIds, visibleRepositoryIds } from '../../../store/sql/visible-ids.ts'
import { type Call, post } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'
import { list } from '../../parameters/kinds.ts'
import { described, parameter } from '../../parameters/parameter.ts'
import { answers } from '../openapi/answers.ts'

/** The listening connection to the streaming service. */
const socketId = parameter<string>({
  schema: {
    type: 'string',
    pattern: String.raw`^[\w.-]{1,100}$`,
    description: 'the id of a connection to the streaming service',
  },
  parse: (given) => given ?? null,
})

/** Valid channel names; a colon would let one signature pass for another. */
const channelName = /^[\w=@,.;-]{1,200}$/

/** Further channels of a call are ignored; no client listens to more at once. */
const mostChannels = 1000

export const streamingEndpoints = [
  post('/streaming/auth', {
    open: true,
    docs: {
      summary: 'signs the channels that the caller can listen to',
      schema: answers.channels,
      example: { socket_id: '1.2', channels: ['private-job-1'] },
    },
    accepts: { socket_id: socketId, channels: described('names of channels', list()) },
    async answer(call, { socket_id, channels = [] }) {
      const { sealer, site } = call.ctx
      const secret = sealer.derive('streaming secret')
      const signed = (channel: string) =>
        createHmac('sha256', secret).update(`${socket_id}:${channel}`).digest('hex')
      const names = [...new Set(channels)].filter((name) => channelName.test(name))
      const allowed = await allowedAmong(call, names.slice(0, mostChannels))
      return {
        channels: Object.fromEntries(
          allowed.map((name) => [name, `${site.streamingKey}:${signed(name)}`]),
        ),
      }
    },
  }),
]

/** The channels that the viewer can listen to; channels that are not private need no permission. */
async function allowedAmong({ ctx, viewer }: Call, names: readonly string[]): Promise<string[]> {
  const userId = permittedUser(viewer)
  const rows = { userId, closed: viewer.closed }
  const [repositories, jobs] = await Promise.all([
    visibleRepositoryIds(ctx.db, idsOf('repo', names), rows),
    visibleJobIds(ctx.db, idsOf('job', names), rows),
  ])
  return names.filter((name) => {
    if (!name.startsWith('private-')) return true
    const own = /^private-user-(\d+)(?!\d)/.exec(name)?.[1]
    if (own !== undefined) return userId !== undefined && idIn(own) === userId
    return repositories.has(idOf('repo', name)) || jobs.has(idOf('job', name))
  })
}

function idsOf(kind: 'repo' | 'job', names: readonly string[]): number[] {
  return names.map((name) => idOf(kind, name)).filter((id) => id > 0)
}

/** The id in the name of a channel of this kind; otherwise 0, which no record has. */
function idOf(kind: 'repo' | 'job', name: string): number {
  const start = `private-${kind}-`
  return name.startsWith(start) ? (idIn(name.slice(start.length)) ?? 0) : 0
}
