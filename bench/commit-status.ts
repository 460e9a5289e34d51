// How long it takes to derive what a commit with 2,000 requests shows, with reading them from the database.
// The figure is the slowest shape's median in milliseconds: a commit at the tip of 2,000 branches, a tag
// that came back to it 2,000 times, 2,000 requests by API, 2,000 pull requests with the same head, and a
// branch that went on from it with 2,000 pushes, the last of which came late.
// `posts` is how many statuses 2,000 announcements led to for each change of state and context.
import type { Insertable } from 'kysely'
import { statusesOf } from '../src/domain/commit/commit-status.ts'
import type { StatusKind } from '../src/domain/commit/status.ts'
import { announceStatuses } from '../src/flow/statuses/announce-commit.ts'
import { publishOutbox } from '../src/flow/statuses/publish-outbox.ts'
import { transact } from '../src/flow/transact.ts'
import { requestsAbout } from '../src/store/commits/commit-statuses.ts'
import { migrate } from '../src/store/migrate.ts'
import { migrations } from '../src/store/migrations/index.ts'
import { openDatabase } from '../src/store/sql/connection.ts'
import type { Database, Tables } from '../src/store/tables.ts'
import { testContext } from '../test/support/context.ts'
import { factories } from '../test/support/factories.ts'
import { memoryCodehost } from '../test/support/memory-codehost.ts'
import { benchmark } from './harness/benchmark.ts'
import { median, rounded } from './harness/statistics.ts'

const count = 2000
const rounds = 15
const sha = 'c'.repeat(40)
const other = 'd'.repeat(40)

type NewRequest = Partial<Insertable<Tables['requests']>>

/** The requests about the commit, and those between them, by what there are many of. */
const shapes = {
  branches: (at) => [push(`refs/heads/branch-${at}`, sha)],
  tag: () => [push('refs/tags/v1', sha), push('refs/tags/v1', other)],
  api: () => [{ event_type: 'api', ref: 'refs/heads/main' }],
  pulls: (at, pull) => [
    {
      ...{ event_type: 'pull_request', ref: `refs/pull/${at}/merge`, pull_request_id: pull },
      ...{ head_commit: sha, base_ref: 'main', from_fork: at % 2 === 0 },
    },
  ],
  history: (at) => [
    {
      ...{ event_type: 'push', ref: 'refs/heads/main' },
      ...{ before_sha: placeAt(at - 1), after_sha: placeAt(at) },
      overtaken_by: at === count - 1 ? placeAt(count) : null,
    },
    ...(at === 0 ? [push('refs/heads/other', sha)] : []),
  ],
} as const satisfies Record<string, (at: number, pull: number) => NewRequest[]>

const contexts: Record<keyof typeof shapes, StatusKind> = {
  ...{ branches: 'push', tag: 'tag', api: 'api', pulls: 'pr', history: 'push' },
}

/** Where a branch is after so many pushes. */
function placeAt(pushes: number): string {
  return pushes === 0 ? sha : String(pushes).padStart(40, '0')
}

function push(ref: string, after_sha: string): NewRequest {
  const before_sha = after_sha === sha ? other : sha
  return { event_type: 'push', ref, after_sha, before_sha, forced: true }
}

await benchmark(
  { bench: 'commit-status', goal: 50, better: 'lower', noise: 0.15 },
  async (bench) => {
    const connection = { connectionString: await bench.databases.create('commit_status') }
    const { db } = bench.place.keep(openDatabase(connection, () => {}))
    await migrate(db, migrations)
    const make = factories(db)
    const milliseconds: Record<string, number> = {}
    const posts: Record<string, number> = {}
    for (const shape of Object.keys(shapes) as (keyof typeof shapes)[]) {
      const repository_id = await fill(db, make, shape)
      milliseconds[shape] = await derived(db, repository_id, shape === 'history' ? 2 : count)
      posts[shape] = await postedIn(db, repository_id, contexts[shape])
    }
    const ratio = Math.max(...Object.values(milliseconds))
    const isOneEach = Object.values(posts).every((each) => each === 1)
    const further = { requests: count, milliseconds, posts }
    return {
      comparison: { ratio, p10: ratio, p90: ratio, aa: 1 },
      further: isOneEach ? further : { ...further, met: false },
    }
  },
)

/** A repository with so many requests about the commit, each with a build. */
async function fill(
  db: Database,
  make: ReturnType<typeof factories>,
  shape: keyof typeof shapes,
): Promise<number> {
  const repository = await make.repository()
  const { id: repository_id, owner_id, owner_type } = repository
  const at = await make.commit(repository, { sha })
  const elsewhere = await make.commit(repository, { sha: other })
  for (let number = 0; number < count; number += 1) {
    const pull =
      shape === 'pulls' ? (await make.pullRequest(repository, { number, head_sha: sha })).id : 0
    for (const given of shapes[shape](number, pull) as NewRequest[]) {
      const { id: commit_id } = (given.after_sha ?? sha) === sha ? at : elsewhere
      const { id: request_id } = await make.request({ repository, ...given, commit_id })
      const about = { repository_id, request_id, commit_id, event_type: given.event_type ?? 'push' }
      const state = 'passed' as const
      await db
        .insertInto('builds')
        .values({ ...about, state, private: false, number: request_id, finished_at: new Date() })
        .execute()
    }
    if (shape === 'branches') {
      const name = `branch-${number}`
      await db.insertInto('branches').values({ repository_id, name }).execute()
    }
  }
  if (owner_id === null || owner_type === null) throw new Error('a repository has an owner')
  return repository_id
}

async function derived(db: Database, repository_id: number, about: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = performance.now()
    const requests = await requestsAbout(db, { repository_id, sha })
    statusesOf(requests, true)
    times.push(performance.now() - before)
    if (requests.length !== about) throw new Error(`${requests.length} requests were read`)
  }
  return rounded(median(times))
}

/** Statuses for each change, where all requests announce it. */
async function postedIn(db: Database, repository_id: number, kind: StatusKind): Promise<number> {
  const codehost = memoryCodehost()
  const ctx = testContext(db, { codehost })
  const states = ['failed', 'passed', 'errored'] as const
  for (const state of states) {
    await db
      .updateTable('builds')
      .set({ state })
      .where('repository_id', '=', repository_id)
      .execute()
    const before = ctx.enqueued.length
    await transact(ctx, async (tx) => {
      for (let number = 0; number < count; number += 1) {
        announceStatuses(tx, { repository_id, sha }, [kind])
      }
    })
    const streams = ctx.enqueued.slice(before).flatMap(({ payload }) => Object.values(payload))
    for (const stream of new Set(streams)) await publishOutbox(ctx, String(stream))
  }
  return codehost.posted.length / states.length
}
