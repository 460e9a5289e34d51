import type { BuildState } from './build.ts'
import { isFinished, type JobState } from './job/job.ts'

/** An event for all who listen on one of these channels. */
export interface LiveMessage {
  channels: readonly string[]
  event: string
  /** JSON: clients of the protocol expect a text. */
  data: string
  /** The connection that is left out, because its own program sent the message. */
  except?: string
}

/** The subject of a channel, if it is one of the service's own. */
export interface ChannelSubject {
  kind: 'job' | 'repo' | 'user'
  id: number
  /** Whether it needs a signature. */
  signed: boolean
}

/** Valid names of channels. A colon would let one signature pass for another. */
export const channelName = /^[\w=@,.;-]{1,200}$/

/** `private-job-7` → job 7; a channel of a user can have a suffix. */
export function subjectOf(channel: string): ChannelSubject | undefined {
  const [, signed, kind, id = '', suffix] =
    /^(private-)?(job|repo|user)-([1-9]\d{0,14})((?!\d).+)?$/.exec(channel) ?? []
  if (kind === undefined || (kind !== 'user' && suffix !== undefined)) return
  return { kind: kind as ChannelSubject['kind'], id: Number(id), signed: signed !== undefined }
}

/** The channels of a record: the channel without a signature exists only for a public record. */
export function channelsOf(kind: 'job' | 'repo', id: number, isPublic: boolean): string[] {
  return [`private-${kind}-${id}`, ...(isPublic ? [`${kind}-${id}`] : [])]
}

export const userChannel = (id: number) => `private-user-${id}`

/** The last word of the event for a new state, as in `job:finished`. */
export function eventOfState(state: JobState | BuildState): string {
  return isFinished({ state }) && state !== 'canceled' ? 'finished' : state
}
