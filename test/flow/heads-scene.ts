import { sql } from 'kysely'
import type { Actor } from '../../src/domain/audit.ts'
import type { PullRequestEvent, PushEvent, RerequestEvent } from '../../src/domain/event.ts'
import { finishJob } from '../../src/flow/jobs/finish-job.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { db, deliver, make, scene, useScene } from '../bot/scene.ts'
import { pullOf, pushTo } from '../support/events.ts'
import { commitOf, putPull } from '../support/memory-codehost.ts'
import { type DescribedEvent, webhookOf } from '../support/payloads.ts'

export { db, make, scene, useScene }

export const first = 'a1'.repeat(20)
export const second = 'b2'.repeat(20)
export const main = { sha: 'b'.repeat(40), ref: 'main' }
export const easy = { sha: 'ea'.repeat(20), ref: 'easy' }

/** The pull request as the code host shows it from now on, with the merge commit of its head. */
export function shows(
  head: string,
  base = main,
  given: Parameters<typeof putPull>[1] | object = {},
) {
  const merge = `${head.slice(0, 4)}${base.ref === 'main' ? '0' : '1'}`.padEnd(40, 'e')
  const pull = putPull(scene.codehost, { head, merge, base, ...given })
  scene.codehost.commits.set(merge, commitOf(merge, 'Merge', [base.sha, head]))
  return pull
}

export const headOf = (sha: string, from = scene.repository.codehost_id) => ({
  ...pullOf(scene.repository).head,
  sha,
  repository_codehost_id: from,
})

/** The head of a pull request, in the fork of a stranger. */
export const fork = (sha: string) => ({ head: headOf(sha, 4711) })

/** A new user who acts by the API. */
export async function newActor(): Promise<Actor> {
  return { user: await make.user(), token_id: null, address: '127.0.0.1' }
}

/** Delivers an event as a signed webhook; returns its outcome. */
export async function receive(event: DescribedEvent) {
  const delivery = await deliver(...webhookOf(event))
  return delivery && `${delivery.result}: ${delivery.outcome}`
}

/** Pushes a commit with this build file, or without one, and decides on it. */
export async function push(
  given: Partial<PushEvent> = {},
  message = 'Say hello',
  file: string | null = 'script: make',
): Promise<void> {
  const event = pushTo(scene.repository, given)
  if (event.head_commit) event.head_commit.message = message
  if (file === null) scene.codehost.files.delete(event.after)
  else scene.codehost.files.set(event.after, file)
  scene.codehost.commits.set(event.after, commitOf(event.after, message))
  await receive(event)
  await work()
}

/** The members of webhooks about a user with push access. */
function byMaintainer() {
  const sender = { codehost_id: 77, login: 'maintainer' }
  scene.codehost.roles.set(sender.login, { pull: true, push: true, admin: false })
  const { delivery_id, installation_codehost_id, repository } = pushTo(scene.repository)
  return { delivery_id, installation_codehost_id, repository, sender }
}

/**
 * Presses the button of the newest check of the build file as a maintainer; returns the outcome.
 */
export async function approve() {
  const check = lastCheck()
  if (!check?.actions?.length) throw new Error('the check has no button')
  const { head_sha } = check
  const pressed = { type: 'check_action', identifier: 'approve', head_sha, check } as const
  const ended = await receive({ ...byMaintainer(), ...pressed })
  await work()
  return ended
}

/**
 * Requests a check of a commit, or all checks of its suite, again as a maintainer; returns the
 * outcome.
 */
export async function repeat(head_sha: string, check: RerequestEvent['check'] = null) {
  const asked = { type: 'rerequest', head_sha, check, ref_name: null } as const
  const ended = await receive({ ...byMaintainer(), ...asked })
  await work()
  return ended
}

export const tell = (head: string, given: Partial<PullRequestEvent> = {}) =>
  receive(pullOf(scene.repository, { action: 'synchronize', head: headOf(head), ...given }))

export const retarget = (head: string, base: typeof main) =>
  tell(head, { action: 'edited', retargeted: true, base })

/** Decides and reports all waiting requests, as if their pauses were over. */
export async function work(): Promise<void> {
  await db.updateTable('requests').set({ retry_at: null }).execute()
  await db.updateTable('outbox').set({ next_attempt_at: null }).execute()
  const open = await db
    .selectFrom('requests')
    .select('id')
    .where('state', '<>', 'finished')
    .orderBy('id')
    .execute()
  for (const { id } of open) await acceptRequest(scene.ctx, id)
  const rows = await db.selectFrom('outbox').select('stream').distinct().orderBy('stream').execute()
  for (const { stream } of rows) await publishOutbox(scene.ctx, stream)
}

/** Ends the jobs of these builds. */
export async function finish(result: 'passed' | 'failed', ...builds: number[]): Promise<void> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'attempt', 'build_id'])
    .where('state', '=', 'created')
    .execute()
  for (const { id, attempt, build_id } of jobs) {
    if (builds.includes(build_id)) await finishJob(scene.ctx, { job_id: id, attempt }, result)
  }
  await work()
}

/** Backdates the requests by this many seconds. */
export const pass = (seconds: number) =>
  sql`update requests set created_at = created_at - make_interval(secs => ${seconds})`.execute(db)

export const lastStatus = (sha: string, kind = 'pr') => {
  const found = scene.codehost.posted.findLast(
    (each) => each.sha === sha && each.status.context.endsWith(`/${kind}`),
  )
  return found && `${found.status.state}: ${found.status.description}`
}

export const reasons = async () =>
  (await db.selectFrom('requests').select(['result', 'reason']).orderBy('id').execute()).map(
    ({ result, reason }) => reason ?? result,
  )

export const onlyMain = 'script: make\nbranches:\n  only: [main]'

export const faulty = 'if: (type = push\nscript: make\n'

export const lastCheck = () => scene.codehost.runs.findLast(({ name }) => name === 'service/config')
