import { randomUUID } from 'node:crypto'
import type { Build } from '../../domain/build.ts'
import { isFinished } from '../../domain/job/job.ts'
import { isWanted } from '../../domain/notification.ts'
import type { Announcements } from '../../domain/outbox.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import type { Decrypt } from '../../secrets/secure-value.ts'
import { newestRequestOfBranch } from '../../store/builds/builds.ts'
import {
  insertNotifications,
  type NewNotification,
} from '../../store/notifications/notifications.ts'
import { rawConfigsOfRequest } from '../../store/requests/raw-configs.ts'
import type { Context, FlowConfig } from '../context.ts'
import { decryptValues } from '../secrets/secure-values.ts'
import { targetStream } from '../statuses/streams.ts'
import { transact } from '../transact.ts'
import { type BuildFacts, findBuildFacts } from './build-facts.ts'
import { kinds } from './kinds/index.ts'
import { hiddenTarget, type Planned } from './kinds/kind.ts'
import { webhookTo } from './kinds/webhook.ts'
import { encryptedAddress, openAddress } from './open-address.ts'
import { targetsOf, type Target } from './targets.ts'

/** Maximum number of notifications of one change of a build: a build file can name anyone. */
const most = 50

/** Whether anyone might want a notification of a build in its current state. */
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
 * Determines the recipients of a build's change, and stores a notification for each. `causeId` is the same
 * whenever this is repeated, such as after a crash, so that each recipient gets one notification.
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

/** Whether a newer build canceled this one: then no mail is sent (ST-53). */
const isAutoCanceled = ({ state, auto_canceled }: Build) => state === 'canceled' && auto_canceled

async function plannedOf(ctx: Context, facts: BuildFacts): Promise<Planned[]> {
  const { build } = facts
  const wanted = targetsOf(build.notifications, build)
    .filter(({ address }) => address !== null || ctx.config.smtpUrl !== undefined)
    .filter(({ kind, frequencies }) => isWanted(kind, frequencies, build))
    .filter(({ kind }) => kind !== 'email' || !isAutoCanceled(build))
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

/** The notifications for a target of a build file. */
async function plannedFor(
  ctx: Context,
  facts: BuildFacts,
  target: Target,
  decrypt: Decrypt,
): Promise<Planned[]> {
  const { kind, address } = target
  if (address === null) return (await kinds[kind].planOfCommit?.(ctx, facts)) ?? []
  const planned: Planned[] = []
  for (const opened of openAddress(address, decrypt)) {
    if ('problem' in opened) planned.push({ kind, target: hiddenTarget, skipped: opened.problem })
    else planned.push(...(await kinds[kind].plan(ctx, facts, target, opened)))
  }
  return planned
}

/** Removes repeated addresses: one named twice, such as both as recipient and as author, is notified once. */
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

/**
 * Decrypts the addresses of targets. The targets of a fork's pull request are those of its base branch
 * (NT-28), so the imports of that branch count, and not the imports that the author has chosen.
 */
async function decryptTargets(
  ctx: Pick<Context, 'db' | 'sealer'>,
  { repository, request, commit }: Pick<BuildFacts, 'repository' | 'request' | 'commit'>,
  targets: readonly Target[],
): Promise<Decrypt> {
  const values = targets.flatMap(({ address }) => encryptedAddress(address) ?? [])
  if (values.length === 0) return () => undefined
  const from = request.from_fork
    ? await newestRequestOfBranch(ctx.db, repository.id, commit.branch)
    : request.id
  const raw = from === undefined ? [] : await rawConfigsOfRequest(ctx.db, from)
  return decryptValues(ctx, { repository, raw }, values)
}
