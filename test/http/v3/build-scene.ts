import { expect } from 'vitest'
import type { Build } from '../../../src/domain/build.ts'
import type { Job } from '../../../src/domain/job/job.ts'
import { putBranch } from '../../../src/store/repositories/branches.ts'
import type { Database } from '../../../src/store/tables.ts'
import { noon } from '../../support/context.ts'
import { factories } from '../../support/factories.ts'
import { makeRoles, type Role } from '../v2/roles.ts'

export interface BuildScene {
  tokens: Record<Role, string | undefined>
  /** Build 1. */
  build: Build
  /** Builds 1 and 2, of the repositories 1 (public) and 2 (private). */
  builds: Build[]
  /** Jobs 1 and 2 of the one, 3 and 4 of the other. */
  jobs: Job[]
}

/** A build in each of two repositories, with two stages and a job in each, triggered by the pusher. */
export async function makeBuilds(
  db: Database,
  state: 'created' | 'started' | 'passed' | 'failed' = 'passed',
): Promise<BuildScene> {
  const make = factories(db)
  const tokens = await makeRoles(db)
  const repositories = await db.selectFrom('repositories').selectAll().orderBy('id').execute()
  const sender = await db
    .selectFrom('users')
    .select('id')
    .where('login', '=', 'pusher')
    .executeTakeFirstOrThrow()
  const builds: Build[] = []
  const jobs: Job[] = []
  for (const repository of repositories) {
    const branch = await putBranch(db, repository.id, 'main')
    const started_at = state === 'created' ? null : noon
    const build = await make.build({
      repository,
      state,
      started_at,
      branch_id: branch.id,
      sender_id: sender.id,
      duration: state === 'started' || state === 'created' ? null : 9,
      previous_state: 'failed',
      updated_at: new Date('2026-01-02T12:00:00.250Z'),
    })
    for (const number of [1, 2]) {
      const stage = await make.stage(build, number)
      const job = await make.job({
        build,
        state,
        started_at,
        stage_id: stage.id,
        number: `1.${number}`,
        updated_at: new Date('2026-01-02T12:00:00.250Z'),
      })
      jobs.push(job)
    }
    builds.push(build)
  }
  const [build] = builds
  if (!build) throw new Error('there is no build')
  return { tokens, build, builds, jobs }
}

/** The states of all jobs, in the order of their ids. */
export async function statesOfJobs(db: Database) {
  const jobs = await db.selectFrom('jobs').select('state').orderBy('id').execute()
  return jobs.map(({ state }) => state)
}

/** The same, with logs of jobs 1 (public) and 3 (private). */
export async function makeBuildsWithLogs(db: Database): Promise<BuildScene> {
  const make = factories(db)
  const scene = await makeBuilds(db)
  for (const job of [scene.jobs[0], scene.jobs[2]]) {
    if (job) await make.log(job, 'hello\r\n', 'wörld\n')
  }
  return scene
}

/** Their parts. */
export const logParts = [
  { number: 1, content: 'hello\r\n', final: false },
  { number: 2, content: 'wörld\n', final: false },
  { number: 3, content: '', final: true },
]

/** The same log as it is shown once the job has finished. */
export const wholeLog = [{ number: 0, content: 'hello\r\nwörld\n', final: true }]

export const noWrites = {
  read: true,
  write: false,
  cancel: false,
  restart: false,
  prioritize: false,
}
export const buildWrites = { ...noWrites, write: true, cancel: true, restart: true }
export const noJobWrites = { ...noWrites, debug: false, delete_log: false, view_log: true }
export const jobWrites = { ...noJobWrites, ...buildWrites, delete_log: true }

const ofPart = (type: string) => ({
  '@type': type,
  '@representation': 'minimal',
  '@permissions': { read: true, write: false },
})

/** What an anonymous caller sees of repository 1 and of what belongs to its build, as others show it. */
const web = {
  '@type': 'repository',
  '@href': '/repo/1',
  '@representation': 'minimal',
  '@permissions': expect.objectContaining({ read: true, write: false }) as object,
  id: 1,
  name: 'web',
  slug: 'acme/web',
}
const main = { ...ofPart('branch'), '@href': '/repo/1/branch/main', name: 'main' }
const commit = {
  ...ofPart('commit'),
  id: 1,
  sha: expect.stringMatching(/^a+[0-9a-f]+$/) as string,
  ref: 'refs/heads/main',
  message: 'Say hello',
  compare_url: 'https://codehost.example/octavia/hello/compare/abc...def',
  committed_at: '2026-01-02T12:00:00Z',
}
export const stageOf = (number: number) => ({
  ...ofPart('stage'),
  id: number,
  number,
  name: `stage ${number}`,
  state: 'created',
  started_at: null,
  finished_at: null,
})
export const jobOf = (id: number) => ({
  '@type': 'job',
  '@href': `/job/${id}`,
  '@representation': 'minimal',
  '@permissions': noJobWrites,
  id,
})
const pusher = {
  '@type': 'user',
  '@href': '/user/5',
  '@representation': 'minimal',
  '@permissions': { read: true, write: false, sync: false },
  id: 5,
  login: 'pusher',
  name: 'Name of pusher',
  vcs_type: 'CodehostUser',
  ro_mode: false,
}
export const minimalBuild = {
  '@type': 'build',
  '@href': '/build/1',
  '@representation': 'minimal',
  '@permissions': noWrites,
  id: 1,
  number: '1',
  state: 'passed',
  duration: 9,
  event_type: 'push',
  previous_state: 'failed',
  pull_request_title: null,
  pull_request_number: null,
  started_at: '2026-01-02T12:00:00Z',
  finished_at: '2026-01-02T12:00:00Z',
  private: false,
  priority: false,
}
export const build = {
  ...minimalBuild,
  '@representation': 'standard',
  repository: web,
  branch: main,
  tag: null,
  commit,
  jobs: [jobOf(1), jobOf(2)],
  stages: [stageOf(1), stageOf(2)],
  created_by: pusher,
  updated_at: '2026-01-02T12:00:00.250Z',
}
const owner = {
  '@type': 'user',
  '@href': '/user/1',
  '@representation': 'minimal',
  '@permissions': { read: true, write: false, sync: false },
  id: 1,
  login: 'acme',
  name: null,
  vcs_type: 'CodehostUser',
  ro_mode: false,
}
export const job = {
  ...jobOf(1),
  '@representation': 'standard',
  allow_failure: false,
  number: '1.1',
  state: 'passed',
  started_at: '2026-01-02T12:00:00Z',
  finished_at: '2026-01-02T12:00:00Z',
  restarted_at: null,
  created_at: '2026-01-02T12:00:00.000Z',
  updated_at: '2026-01-02T12:00:00.250Z',
  private: false,
  queue: 'builds.linux',
  build: minimalBuild,
  repository: web,
  commit,
  owner,
  stage: stageOf(1),
  restarted_by: null,
  vm_size: null,
  queued_at: null,
  received_at: null,
  canceled_at: null,
  canceled_by: null,
  cancel_reason: null,
  waiting_reasons: [],
  queue_position: null,
}

/** With null, of no resource: there is no such path. */
export const missing = (type: string | null) => ({
  status: 404,
  body: {
    '@type': 'error',
    error_type: 'not_found',
    error_message: `${type ?? 'resource'} not found (or insufficient access)`,
    resource_type: type,
  },
})

const error = (status: number, error_type: string, error_message: string) => ({
  status,
  body: { '@type': 'error', error_type, error_message },
})

export const noLogin = error(403, 'login_required', 'login required')
export const denied = error(403, 'wrong_credentials', 'access denied')
export const conflict = (error_type: string, error_message: string) =>
  error(409, error_type, error_message)

/** What those get who can see a record, but not change it. */
export const refused = (type: string, shown: object) => ({
  status: 403,
  body: {
    '@type': 'error',
    error_type: 'insufficient_access',
    error_message: `operation requires write access to ${type}`,
    permission: 'write',
    resource_type: type,
    [type]: shown,
  },
})
