import { permittedUser, type Viewer } from '../../../access/viewer.ts'
import { notFound } from '../../../domain/errors.ts'
import { channelName } from '../../../domain/live.ts'
import { listenable } from '../../../flow/live/listening-rights.ts'
import { signChannel } from '../../../secrets/streaming-signature.ts'
import { json } from '../../core/answer.ts'
import { type Call, post } from '../../core/endpoint.ts'
import { checkForm, formTokenName, sessionViewer } from '../../identity/session.ts'
import { list, text } from '../../parameters/kinds.ts'
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

/** Further channels of a call are ignored; clients do not need more at once. */
const mostChannels = 1000

export const streamingEndpoints = [
  post('/streaming/auth', {
    open: true,
    docs: {
      summary: 'signs the channels that the caller can listen to',
      schema: answers.channels,
      example: { socket_id: '1.2', channels: ['private-job-1'] },
      besides: { 403: { description: 'no access to the channel', type: 'application/json' } },
    },
    accepts: {
      socket_id: socketId,
      channels: described('names of channels', list()),
      channel_name: text('name of one channel: the answer is `{"auth": "…"}`, or 403'),
      [formTokenName]: text('the form token with which a page proves that it acts for its session'),
    },
    async answer(call, { socket_id, channels = [], channel_name }) {
      const { streaming } = call.ctx
      if (!streaming) throw notFound('streaming')
      const viewer = await listener(call)
      const named = channel_name === undefined ? channels : [channel_name]
      const names = [...new Set(named)].filter((name) => channelName.test(name))
      const allowed = await allowedAmong(call, viewer, names.slice(0, mostChannels))
      if (allowed.some(isPrivate)) {
        await streaming.signedFor(socket_id, {
          user_id: permittedUser(viewer) ?? null,
          token_id: viewer.token_id ?? null,
          closed: viewer.closed === true,
        })
      }
      const signed = allowed.map((name) => [name, signChannel(streaming.app, socket_id, name)])
      if (channel_name === undefined) return { channels: Object.fromEntries(signed) as object }
      const [auth] = signed.map(([, signature]) => signature)
      return auth === undefined ? json({ error: 'access denied' }, 403) : { auth }
    },
  }),
]

/** The viewer of the call, or of the page that makes it: it names its session's form token. */
async function listener(call: Call): Promise<Viewer> {
  const { ctx, viewer, given, request } = call
  if (viewer.user) return viewer
  const isShut = viewer.closed === true || ctx.site.forceAuthentication
  const anyone = { ...viewer, closed: isShut }
  if (given[formTokenName] === undefined) return anyone
  const ofSession = await sessionViewer(ctx, request.headers)
  if (!ofSession) return anyone
  checkForm(ofSession, given, request.headers)
  return { ...ofSession, closed: viewer.closed === true }
}

/** The channels that the viewer can listen to; channels that are not private need no permission. */
async function allowedAmong(
  { ctx }: Call,
  viewer: Viewer,
  names: readonly string[],
): Promise<string[]> {
  const seen = { user_id: permittedUser(viewer) ?? null, closed: viewer.closed === true }
  const kept = await listenable(ctx.db, seen, names.filter(isPrivate))
  return names.filter((name) => !isPrivate(name) || kept.has(name))
}

const isPrivate = (name: string) => name.startsWith('private-')
