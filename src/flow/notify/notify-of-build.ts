import { randomUUID } from 'node:crypto'
import { isFinished } from '../../domain/job/job.ts'
import { isWanted } from '../../domain/notification.ts'
import type { Build } from '../../domain/build.ts'
import type { Announcements } from '../../domain/outbox.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { insertNotifications, type NewNotification } from '../../store/notifications.ts'
import type { Context, FlowConfig } from '../context.ts'
import { targetStream } from '../report/streams.ts'
import { transact } from '../transact.ts'
import { type BuildFacts, findBuildFacts } from './build-facts.ts'
import { decryptTargets } from './decrypt-targets.ts'
import { type Planned, plannedFor, webhookTo } from './planned.ts'
import { targetsOf } from './targets.ts'

/** A build has at most so many notifications of one change: a build file can name anyone. */
const most = 50

/** Whether anyone may want to know of a build in its present state. */
export function isWorthTelling(
  { smtpUrl }: Pick<FlowConfig, 'smtpUrl'>,
  build: Pick<Build, 'state' | 'event_type' | 'notifications'>,
): boolean {
  if (build.state !== 'started' && !isFinished(build)) return false
  const { email, ...others } = build.notifications
  if (Object.keys(others).length > 0) return true
  return build.event_type !== 'pull_request' && (smtpUrl !== undefined || email !== undefined)
}

/**
 * Finds out who is to be told of a change of a build, and has it sent to each. `causeId` is the same
 * whenever that is done again, after a crash, so that each gets it once.
 */
export async function notifyOfBuild(
  ctx: Context,
  causeId: number,
  change: Announcements['notify:build'],
): Promise<void> {
  const facts = await findBuildFacts(ctx.db, change)
  if (!facts) return
  const planned = await plannedOf(ctx, facts)
  const rows = planned.map((each, index) =>
    rowOf(ctx, facts, each, { cause_id: causeId, position: index + 1 }),
  )
  await transact(ctx, async (tx) => {
    for (const { id, stream } of await insertNotifications(tx.db, rows)) {
      if (stream !== null) tx.announce('notify:send', stream, { notification_id: id })
    }
  })
}

async function plannedOf(ctx: Context, facts: BuildFacts): Promise<Planned[]> {
  const { build } = facts
  const wanted = targetsOf(build.notifications, build)
    .filter(({ address }) => address !== null || ctx.config.smtpUrl !== undefined)
    .filter(({ kind, frequencies }) => isWanted(kind, frequencies, build))
  const told = wanted.slice(0, most)
  const decrypt = await decryptTargets(ctx, facts, told)
  const planned: Planned[] = []
  for (const target of told) planned.push(...(await plannedFor(ctx, facts, target, decrypt)))
  const distinct = withoutRepeated(planned.slice(0, most))
  const named = wanted.length - told.length + planned.length
  if (named > most) distinct.push(tooMany(named))
  const hasWebhook = distinct.some((each) => each.kind === 'webhook' && 'content' in each)
  const { notificationUrl: url } = ctx.config
  if (!hasWebhook || url === undefined) return distinct
  const target = 'NOTIFICATION_URL'
  return [...distinct, { target, ...webhookTo(ctx, facts, { url, secret: false, trusted: true }) }]
}

/** Who is named twice, as recipient and author say, is told once. */
function withoutRepeated(planned: readonly Planned[]): Planned[] {
  const seen = new Set<string>()
  return planned.filter((each) => {
    if (!('content' in each)) return true
    const key = `${each.kind} ${each.address}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function tooMany(count: number): Planned {
  const skipped = `The build file names ${count} targets; the first ${most} are notified.`
  return { kind: 'webhook', target: 'further targets', skipped }
}

function rowOf(
  ctx: Pick<Context, 'sealer'>,
  { build, repository }: BuildFacts,
  planned: Planned,
  origin: Pick<NewNotification, 'cause_id' | 'position'>,
): NewNotification {
  const { kind, target } = planned
  const guid = randomUUID()
  const of = { repository_id: repository.id, build_id: build.id, event: build.state }
  const common = { ...origin, ...of, guid, kind, target }
  if ('skipped' in planned) {
    const nothing = { stream: null, sealed_content: null }
    return { ...common, ...nothing, state: 'skipped', message: planned.skipped }
  }
  const content = JSON.stringify(planned.content)
  return {
    ...common,
    stream: targetStream(ctx, repository.id, kind, planned.address),
    sealed_content: ctx.sealer.sealText(sealedIn.notification(guid), content),
    state: 'waiting',
    message: null,
  }
}
