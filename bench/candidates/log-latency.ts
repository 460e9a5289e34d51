// The real service, roles `web` and `worker`, with two jobs of a local repository: the log of one is
// appended by request, the other prints the time once a runner starts.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type * as Notify from '../../src/codehost/local/hooks/notify.ts'
import type * as Register from '../../src/codehost/local/register.ts'
import type * as ClaimJob from '../../src/flow/jobs/claim-job.ts'
import type * as Logs from '../../src/flow/jobs/logs.ts'
import type * as StartJob from '../../src/flow/jobs/start-job.ts'
import type * as RegisterRepository from '../../src/flow/repositories/register-repository.ts'
import type * as LocalChanges from '../../src/service/local/local-changes.ts'
import { built } from '../harness/built.ts'
import { answer, closeAtLast, tell } from '../harness/parent.ts'
import { createLog, readConfig, startService } from '../harness/service.ts'

const { notify } = await built<typeof Notify>('codehost/local/hooks/notify.js')
const { addRepository } = await built<typeof Register>('codehost/local/register.js')
const { claimJob, renewClaim } = await built<typeof ClaimJob>('flow/jobs/claim-job.js')
const { appendLog } = await built<typeof Logs>('flow/jobs/logs.js')
const { startJob } = await built<typeof StartJob>('flow/jobs/start-job.js')
const { registerRepository } = await built<typeof RegisterRepository>(
  'flow/repositories/register-repository.js',
)
const { deliverTo } = await built<typeof LocalChanges>('service/local/local-changes.js')

const folder = process.env['REPOSITORY'] ?? ''
const config = readConfig(process.env)
const log = createLog(config)
const service = await startService({ ...config, roles: ['web', 'worker'] }, { log })
const { ctx, local, localUrl } = service

const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
git('init', '-q', '-b', 'main')
// Without the pause, a line could be printed before anybody listens.
const printing = 'sleep 2; for i in $(seq 300); do echo "at $(date +%s%N)"; sleep 0.03; done'
const file = {
  language: 'shell',
  os: 'linux',
  jobs: { include: [{ script: 'true' }, { script: printing }] },
}
writeFileSync(path.join(folder, '.service.yml'), JSON.stringify(file))
git('add', '.')
git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', 'commit', '-qm', 'Begin')

const facts = await addRepository(local, folder, { build: true })
await registerRepository(ctx, facts, { codehost_id: 1, login: local.owner })
await notify(local, facts, deliverTo(localUrl, ctx.sealer))

async function queuedJobs(): Promise<number[]> {
  for (;;) {
    const jobs = await ctx.db.selectFrom('jobs').select(['id', 'state']).orderBy('id').execute()
    if (jobs.length > 0 && jobs.every(({ state }) => state === 'queued')) {
      return jobs.map(({ id }) => id)
    }
    await pause(20)
  }
}

const [appended = 0, printed = 0] = await queuedJobs()
const job = await claimJob(ctx, appended, 'bench')
if (!job) throw new Error('the job does not wait')
await startJob(ctx, job)
const run = { job_id: job.id, attempt: job.attempt }
// As a runner does: a claim that is not renewed ends.
setInterval(() => void renewClaim(ctx, run), 10_000).unref()
let number = 0
let runner: Awaited<ReturnType<typeof startService>> | undefined

answer({
  jobs: () => ({ appended, printed }),
  rss: () => process.memoryUsage.rss(),
  /** Resolves with the time when the part is stored, in nanoseconds. */
  async append(content: string) {
    const isStored = await appendLog(ctx, run, [{ number, content, final: false }])
    if (!isStored) throw new Error('the part was not stored')
    number += 1
    return Number(process.hrtime.bigint())
  },
  async run() {
    runner = await startService({ ...config, roles: ['runner'] }, { log })
  },
})
closeAtLast(async () => {
  await runner?.stop()
  await service.stop()
})
tell({ url: localUrl })
