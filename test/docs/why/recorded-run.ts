import { expect } from 'vitest'
import type { Failure } from '../../../src/domain/failure/failure.ts'
import type { FinalState } from '../../../src/domain/job/job.ts'
import { lastPart } from '../../../src/domain/log/log.ts'
import { readLog } from '../../../src/failure/read-log.ts'
import type { Context } from '../../../src/flow/context.ts'
import { examineRun } from '../../../src/flow/failures/examine-run.ts'
import { knownInputs } from '../../../src/flow/failures/run-inputs.ts'
import { claimJob } from '../../../src/flow/jobs/claim-job.ts'
import { finishJob } from '../../../src/flow/jobs/finish-job.ts'
import { appendLog } from '../../../src/flow/jobs/logs.ts'
import { restartJob } from '../../../src/flow/jobs/restart-job.ts'
import { startJob } from '../../../src/flow/jobs/start-job.ts'
import { readJobSecrets } from '../../../src/flow/secrets/job-secrets.ts'
import type { Service } from '../../../src/service/start.ts'
import { findJobToRun } from '../../../src/store/jobs/jobs-to-run.ts'
import { eventually, toldOf } from '../../support/app-story.ts'
import { recordedLog } from '../../support/recorded-log.ts'
import type { ShownFailure } from './failures.ts'
import type { Scene } from './scene.ts'

/** What is said of a failure. */
export interface FailureEvidence {
  status: string
  check: string
  page: string
  api: Failure & { text: string; outside: { text: string; changes: unknown[] } | null }
}

/** Shows the service the recorded runs of a failure as those of a job, and returns what it says then. */
export async function evidenceOfFailure(
  { ctx, localUrl }: Service,
  scene: Scene,
  shown: ShownFailure,
): Promise<FailureEvidence> {
  const { host, repository } = scene
  const [green, red] = [recordedLog(shown.log, 'green-1'), recordedLog(shown.log, 'red')]
  const log = shown.printed?.(red) ?? red
  let sha = await scene.push(fileOf(red))
  if (shown.green !== 'none') {
    const passed = await jobOf(ctx, sha)
    await play(ctx, passed, green, 'passed')
    const by = {
      user: { id: 1, login: 'octavia', name: null },
      token_id: null,
      address: '127.0.0.1',
    }
    if (shown.green === 'same commit') await restartJob(ctx, by, passed)
    else sha = await scene.push(fileOf(red), { message: 'A mistake' })
  }
  const job = await jobOf(ctx, sha)
  await play(ctx, job, log, shown.state ?? 'failed')
  await scene.rest()

  const slug = `${repository.owner.login}/${repository.name}`
  const read = async (where: string, accept: string) => {
    const headers = { accept }
    const answer = await fetch(`${localUrl}${where}`, { headers })
    expect(answer.status).toBe(200)
    return answer.text()
  }
  const check = host.checkRuns(repository, sha).find(({ name }) => name.endsWith(' - Branch'))
  return {
    status: toldOf(host, repository, sha).at(-1) ?? '',
    check: check?.output.text ?? '',
    page: await read(`/${slug}/jobs/${job}`, 'text/html'),
    api: JSON.parse(
      await read(`/v3/job/${job}/failure`, 'application/json'),
    ) as FailureEvidence['api'],
  }
}

/** The commands of a log as a build file. */
function fileOf(log: string): string {
  const script = readLog(log).commands.map(({ text }) => text)
  return JSON.stringify({ language: 'generic', script })
}

async function jobOf({ db }: Context, sha: string): Promise<number> {
  let id = 0
  await eventually(async () => {
    const job = await db
      .selectFrom('jobs')
      .innerJoin('commits', 'commits.id', 'jobs.commit_id')
      .where('commits.sha', '=', sha)
      .where('jobs.state', '=', 'queued')
      .select('jobs.id')
      .executeTakeFirstOrThrow()
    id = job.id
  })
  return id
}

/** Runs a queued job as a runner does, except that its output is given. */
async function play(ctx: Context, id: number, log: string, state: FinalState): Promise<void> {
  const job = await claimJob(ctx, id, 'one')
  const waiting = await findJobToRun(ctx.db, id)
  if (!job || !waiting) throw new Error(`job ${id} does not wait`)
  const run = { job_id: id, attempt: job.attempt }
  const toRun = { ...waiting, job }
  const inputs = await knownInputs(ctx, toRun, await readJobSecrets(ctx, toRun), 'one')
  await startJob(ctx, job)
  await appendLog(ctx, run, [
    { number: 0, content: log, final: false },
    { number: lastPart, content: '', final: true },
  ])
  const examined = await examineRun(ctx, { toRun, run, inputs }, state)
  await finishJob(ctx, run, state, { examined })
}
