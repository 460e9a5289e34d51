import { generateKeyPairSync } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import type { Executor, JobSpec } from '../../src/runner/executor.ts'
import { encryptSecure } from '../../src/secrets/secure-value.ts'
import type { Database } from '../../src/store/tables.ts'
import { runJobs } from '../../src/worker/processors/run-job.ts'
import { caller } from '../http/door.ts'
import { createFakeMachine } from '../runner/fake-executor.ts'
import type { TestContext } from '../support/context.ts'
import { pullOf, pushTo } from '../support/events.ts'
import type { factories } from '../support/factories.ts'
import { commitOf, type MemoryCodehost, putPull } from '../support/memory-codehost.ts'
import { toolsOf } from '../support/worker-tools.ts'

const sshKey = String(
  generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }),
)

interface GivenPrograms {
  clone: string
  job: string
  /** The keys that they can read. */
  keys: (string | undefined)[]
}

/** What of a repository's secrets is in the programs of a job, or given to them. */
export function foundIn({ clone, job, keys }: GivenPrograms): string[] {
  const secrets = { file: 'of-the-file', settings: 'of-the-settings', public: 'for-everyone' }
  const found = Object.entries(secrets).filter(([, value]) => (clone + job).includes(value))
  const line = sshKey.split('\n')[1] ?? 'no key'
  if ((clone + job).includes(line)) throw new Error('a program contains the key')
  return [
    ...found.map(([name]) => name),
    ...(keys.length > 0 && keys.every((key) => key?.includes(line)) ? ['key'] : []),
  ]
}

/** Where a pull request comes from, unless it is the repository itself. */
const heads = {
  pull: {},
  fork: { repository_codehost_id: 666, slug: 'hacker/hello' },
  'fork that is gone': { repository_codehost_id: null, slug: null },
  'fork with the name of its origin': { repository_codehost_id: 666, slug: 'octavia/hello' },
}

export type Kind = 'push' | keyof typeof heads

interface Surroundings {
  db: Database
  make: ReturnType<typeof factories>
  ctx: TestContext
  codehost: MemoryCodehost
}

/** A repository with secrets, which people set through the API, and its builds. */
export async function secretsScene(
  { db, make, ctx, codehost }: Surroundings,
  server: FastifyInstance,
  given: { name?: string; private?: boolean; owner_name?: string } = {},
) {
  const repository = await make.repository(given)
  const user = await make.user()
  await make.permission(user, repository, 'admin')
  const inject = caller(server)

  async function call<T = unknown>(asked: string, body?: object): Promise<T> {
    const headers = {
      accept: 'application/vnd.service.2.1+json',
      authorization: `token ${user.token}`,
      'content-type': 'application/json',
    }
    const answer = await inject(asked, headers, body && JSON.stringify(body))
    if (answer.statusCode >= 300) throw new Error(`${asked}: ${answer.statusCode} ${answer.body}`)
    return answer.json<T>()
  }

  let commits = 0
  const about = `repository_id=${repository.id}`

  /** Has the file built as this event says, and returns the id of its first job. */
  async function build(file: string, kind: Kind, branch = 'main') {
    commits += 1
    const sha = commits.toString(16).padStart(40, 'e')
    const merge = commits.toString(16).padStart(40, 'f')
    codehost.commits.set(sha, commitOf(sha, 'Say hello'))
    if (kind !== 'push') putPull(codehost, { head: sha, merge }, commits)
    for (const each of [sha, merge]) codehost.files.set(each, file)
    const from = kind === 'push' ? {} : heads[kind]
    const head = { ...pullOf(repository).head, sha, ...from }
    const received = await receiveEvent(
      ctx,
      kind === 'push'
        ? pushTo(repository, {
            after: sha,
            ref: branch.startsWith('refs/') ? branch : `refs/heads/${branch}`,
          })
        : pullOf(repository, { number: commits, head, base: { sha: 'b'.repeat(40), ref: branch } }),
    )
    if (!('request' in received)) throw new Error('there is no request')
    await acceptRequest(ctx, received.request.id)
    return db
      .selectFrom('jobs')
      .innerJoin('builds', 'builds.id', 'jobs.build_id')
      .where('builds.request_id', '=', received.request.id)
      .select(['jobs.id', 'jobs.config', 'builds.id as build_id'])
      .executeTakeFirstOrThrow()
  }

  /** Runs a job on a machine that does nothing, and returns what would run there. */
  async function programsOf(id: number): Promise<GivenPrograms> {
    await db.updateTable('jobs').set({ state: 'queued' }).where('id', '=', id).execute()
    const machine = createFakeMachine()
    const specs: JobSpec[] = []
    const start = machine.executor.start.bind(machine.executor)
    machine.exit(0)
    const executor: Executor = {
      ...machine.executor,
      start(spec, signal) {
        specs.push(spec)
        return start(spec, signal)
      },
    }
    await runJobs.process({ job_id: id }, toolsOf(ctx, executor))
    const steps = specs[0]?.steps ?? []
    const [clone, job] = steps
    const keys = steps.map((step) => step.ssh_key)
    return { clone: clone?.script ?? '', job: job?.script ?? '', keys }
  }

  return {
    repository,
    call,
    build,
    programsOf,
    addVariable: (env_var: object) => call(`POST /settings/env_vars?${about}`, { env_var }),
    setKey: () => call(`PATCH /settings/ssh_key/${repository.id}`, { ssh_key: { value: sshKey } }),
    set: (settings: object) => call(`PATCH /repos/${repository.id}/settings`, { settings }),
    /** A text, encrypted for this repository. */
    async encrypted(text: string): Promise<string> {
      const { key } = await call<{ key: string }>(`GET /repos/${repository.id}/key`)
      return encryptSecure(key, text)
    },
  }
}
