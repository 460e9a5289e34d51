import { isShutOut } from '../../access/login-rights.ts'
import { type ChannelSubject, subjectOf } from '../../domain/live.ts'
import type { SocketViewer } from '../../store/live/notices.ts'
import { readableJobIds, visibleRepositoryIds } from '../../store/sql/visible-ids.ts'
import type { Database } from '../../store/tables.ts'
import { userOfToken } from '../../store/tokens/tokens.ts'
import type { Context } from '../context.ts'

/** The channels in the list that the viewer can listen to: all channels about records the viewer can see. */
export async function listenable(
  db: Database,
  { user_id, closed }: Pick<SocketViewer, 'user_id' | 'closed'>,
  channels: readonly string[],
): Promise<Set<string>> {
  const subjects = new Map(channels.map((channel) => [channel, subjectOf(channel)]))
  const idsOf = (kind: ChannelSubject['kind']) =>
    [...subjects.values()].flatMap((subject) => (subject?.kind === kind ? subject.id : []))
  const viewer = { userId: user_id ?? undefined, closed }
  const [repositories, jobs] = await Promise.all([
    visibleRepositoryIds(db, idsOf('repo'), viewer),
    readableJobIds(db, idsOf('job'), viewer),
  ])
  const canListen = (subject: ChannelSubject | undefined) => {
    if (subject?.kind === 'user') return subject.signed && subject.id === user_id
    const ids = subject?.kind === 'repo' ? repositories : jobs
    return subject !== undefined && ids.has(subject.id)
  }
  return new Set(channels.filter((channel) => canListen(subjects.get(channel))))
}

/**
 * As `listenable`, but for a viewer stored earlier: no channels if the token that signed them has
 * ended, or its user can no longer log in.
 */
export async function stillListenable(
  { db, now, config }: Pick<Context, 'db' | 'now' | 'config'>,
  viewer: SocketViewer,
  channels: readonly string[],
): Promise<Set<string>> {
  if (viewer.token_id !== null) {
    const user = await userOfToken(db, viewer.token_id, now())
    if (!user || isShutOut(user, config)) return new Set()
  }
  return listenable(db, viewer, channels)
}
