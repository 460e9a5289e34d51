import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import type { JobRun } from '../../domain/failure/job-run.ts'
import type { Job } from '../../domain/job/job.ts'
import { jobKeyOf } from '../../flow/failures/run-inputs.ts'
import { readVersion } from '../../service/version.ts'
import { insertRun, mostGreen, type PassedRun, passedRuns } from '../../store/jobs/job-runs.ts'
import type { Database } from '../../store/tables.ts'

/** A passed run of an earlier command. */
type KeptRun = Pick<JobRun, 'sha' | 'inputs'> & {
  ended_at: string
  /** Packed, in base64. */
  shapes: string
}

/** The passed runs of a work tree, to compare later runs with. */
export interface KeptRuns {
  /** Adds the kept runs of these jobs to the data of this command. */
  restore(db: Database, jobs: readonly Job[], branch: string): Promise<void>
  /** Keeps the runs of these jobs that have passed. */
  keep(db: Database, jobs: readonly Job[]): Promise<void>
}

/** Days after which a job's runs are forgotten if none was added. */
const days = 30

/**
 * The kept runs of the work tree at `root`, in a folder of the user's state. They hold hashes of the shapes of
 * log lines, and what programs said of their versions; no text of a log. Another version of this program keeps its own.
 */
export function keptRunsOf(root: string, env: NodeJS.ProcessEnv): KeptRuns {
  const state = env['XDG_STATE_HOME'] || path.join(homedir(), '.local', 'state')
  const all = path.join(state, 'build-service', 'runs')
  const folder = path.join(
    all,
    createHash('sha256').update(`${readVersion()} ${root}`).digest('hex').slice(0, 16),
  )
  const fileOf = (job: Job) => path.join(folder, `${jobKeyOf(job)}.json`)
  return {
    async restore(db, jobs, branch) {
      for (const job of jobs) {
        const kept = await read(fileOf(job))
        for (const [index, run] of kept.entries()) {
          await insertRun(db, passedRun(job, branch, index, run), Buffer.from(run.shapes, 'base64'))
        }
      }
    },

    async keep(db, jobs) {
      const ids = jobs.map(({ id }) => id)
      const passed = new Map((await passedRuns(db, ids)).map((run) => [run.job_id, run]))
      if (passed.size === 0) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const job of jobs) {
        const run = passed.get(job.id)
        if (!run) continue
        const kept = [keptRun(run), ...(await read(fileOf(job)))].slice(0, mostGreen)
        await write(fileOf(job), JSON.stringify(kept))
      }
      await forgetOld(all, Date.now())
    },
  }
}

/** A kept run as one of this job, before the first attempt of this command. */
function passedRun(job: Job, branch: string, index: number, { sha, inputs, ended_at }: KeptRun) {
  return {
    job_id: job.id,
    attempt: -index,
    repository_id: job.repository_id,
    job_key: jobKeyOf(job),
    branch,
    pull_request_id: null,
    sha,
    state: 'passed' as const,
    inputs,
    failure: null,
    cause: null,
    by_itself: true,
    outside: null,
    ended_at: new Date(ended_at),
  }
}

/** Each command has a runner of its own, which is not an input of the job. */
function keptRun({ sha, inputs, ended_at, shapes }: PassedRun): KeptRun {
  return {
    sha,
    inputs: { ...inputs, runner: null },
    ended_at: ended_at.toISOString(),
    shapes: Buffer.from(shapes).toString('base64'),
  }
}

/** No runs where there is no file, or a damaged one. */
async function read(file: string): Promise<KeptRun[]> {
  try {
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'))
    return Array.isArray(kept) ? kept.filter(isKeptRun) : []
  } catch {
    return []
  }
}

function isKeptRun(value: unknown): value is KeptRun {
  if (typeof value !== 'object' || value === null) return false
  const { sha, inputs, ended_at, shapes } = value as Partial<Record<keyof KeptRun, unknown>>
  return (
    [sha, ended_at, shapes].every((each) => typeof each === 'string') &&
    !Number.isNaN(Date.parse(String(ended_at))) &&
    typeof inputs === 'object' &&
    inputs !== null
  )
}

/** Replaces a file at once, so that two commands at a time cannot mix theirs. */
async function write(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, text, { mode: 0o600 })
  await rename(unfinished, file)
}

async function forgetOld(all: string, now: number): Promise<void> {
  for (const name of await readdir(all)) {
    const folder = path.join(all, name)
    const files = await readdir(folder)
    const old: string[] = []
    for (const file of files) {
      const { mtimeMs } = await stat(path.join(folder, file))
      if (now - mtimeMs > days * 24 * 60 * 60 * 1000) old.push(file)
    }
    if (old.length === files.length) await rm(folder, { recursive: true, force: true })
    else for (const file of old) await rm(path.join(folder, file), { force: true })
  }
}
