import type { Build } from '../../../src/domain/build.ts'
import {
  markBranchGone,
  putBranch,
  setLastBuildOfBranch,
} from '../../../src/store/repositories/branches.ts'
import type { Database } from '../../../src/store/tables.ts'
import type { Reply } from '../../support/client.ts'
import { noon } from '../../support/context.ts'
import { factories } from '../../support/factories.ts'
import { keptBy } from '../v3/kept.ts'
import { type Furnished, makeWorld } from '../v3/world.ts'

/** A value that names something hidden, and one as long that names nothing. */
export type Pair = readonly [hidden: string, missing: string]

/** What is hidden from a stranger. */
export interface Hidden {
  /** By what it is named, by types. */
  pairs: Readonly<Record<string, Pair>>
  /** The token of one who sees it. */
  knower: string
  /** The calls that are about it, as in `GET /repo/{repository.id}/key_pair`; all, if nothing is said. */
  asked?: RegExp
}

export const kinds = [
  'a private repository',
  'what was made in private',
  'what is kept for those who can push',
  'what is of another user',
  'a user who is not a person',
] as const
export type Kind = (typeof kinds)[number]

export interface HiddenRecords {
  hidden: Record<Kind, Hidden>
  stranger: string
  /** Puts back what was deleted since this was made. */
  restore(): Promise<void>
}

const pairOf = (id: number | string): Pair => [String(id), '9'.repeat(String(id).length)]

/** Pairs of records by their types, from ids by names like `cron.id`. */
const pairsOf = (kept: Readonly<Record<string, string>>): Record<string, Pair> =>
  Object.fromEntries(
    Object.entries(kept).map(([name, id]) => [name.replace('.id', ''), pairOf(id)]),
  )

/** The world, and in it something hidden of each type. */
export async function makeHidden(
  db: Database,
  call: (asked: string, options: { token: string }) => Promise<Reply>,
): Promise<HiddenRecords> {
  const make = factories(db)
  const { people, open, secret, inPrivate } = await makeWorld(db)
  const { admin, stranger } = people
  const bare = await make.repository({ id: 8, name: 'empty', codehost_id: 900 })
  await make.permission(admin, bare, 'admin')
  const kept = await keptBy(db, secret.repository.id)
  await keptBy(db, open.repository.id)
  await branchWithBuild(db, secret.build, 'main')
  const gone = await goneInPrivate(db, inPrivate)
  const notification = await make.notification(inPrivate.build)
  const made = await call(`POST /repo/${open.repository.id}/tokens?name=deploy`, admin)
  const bot = (made.body as { token: string }).token
  const { body: self } = await call('GET /user', { token: bot })
  await make.token(admin)
  const { id: token } = await db
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', admin.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('user_beta_features')
    .values({ user_id: admin.id, beta_feature_id: 1, enabled: true })
    .execute()

  const recordsOf = ({ build, job, request, env_var }: Furnished): Record<string, Pair> => ({
    build: pairOf(build.id),
    job: pairOf(job),
    log: pairOf(job),
    request: pairOf(request),
    env_var: [env_var, `${env_var.slice(0, -1)}9`],
  })
  const same = (text: string): Pair => [text, text]
  const openId = String(open.repository.id)
  const knower = admin.token
  return {
    hidden: {
      'a private repository': {
        knower,
        pairs: {
          ...pairsOf(kept),
          ...recordsOf(secret),
          repository: pairOf(secret.repository.id),
          slug: ['acme/hidden', 'acme/absent'],
          branch: same('main'),
        },
      },
      'what was made in private': {
        knower,
        pairs: {
          ...recordsOf(inPrivate),
          repository: same(openId),
          slug: same('octavia/hello'),
          branch: ['gone', 'none'],
          cron: pairOf(gone.cron),
          notification: pairOf(notification.id),
        },
      },
      'what is kept for those who can push': {
        knower,
        pairs: { repository: [openId, String(bare.id)], slug: ['octavia/hello', 'octavia/empty'] },
        asked: /^(?:GET|PATCH|DELETE) .*(?:key_pair|ssh_key)/,
      },
      'what is of another user': {
        knower,
        pairs: {
          user: pairOf(admin.id),
          beta_feature: same('1'),
          token: pairOf(token),
          guid: ['a', 'b'],
        },
        asked: /beta_feature|\/token\/|\/delivery\/|^(?:GET|PUT) \/users\/:user$/,
      },
      'a user who is not a person': {
        knower: bot,
        pairs: { user: pairOf((self as { id: number }).id) },
        asked: /\/user\/\{user\.id\}(?:\/(?:sync|block|unblock))?$/,
      },
    },
    stranger: stranger.token,
    restore: await restoring(db),
  }
}

/** A branch that was deleted before its repository was made public, with a cron. */
async function goneInPrivate(
  db: Database,
  { repository: { id: repository_id }, build }: Furnished,
) {
  const branch_id = await branchWithBuild(db, build, 'gone')
  const times = { planned_at: noon, next_run: noon, created_at: noon }
  const { id: cron } = await db
    .insertInto('crons')
    .values({ repository_id, branch_id, interval: 'daily', ...times })
    .returning('id')
    .executeTakeFirstOrThrow()
  await markBranchGone(db, repository_id, 'gone')
  return { cron }
}

async function branchWithBuild(db: Database, { id, repository_id }: Build, name: string) {
  const branch = await putBranch(db, repository_id, name)
  await setLastBuildOfBranch(db, branch.id, id, null)
  return branch.id
}

/** Tables of what is deleted by more than one path. */
const deletable = ['crons', 'env_vars', 'ssh_keys', 'user_beta_features'] as const

async function restoring(db: Database): Promise<() => Promise<void>> {
  const rows = await Promise.all(
    deletable.map(
      async (table) => [table, await db.selectFrom(table).selectAll().execute()] as const,
    ),
  )
  return async () => {
    for (const [table, values] of rows) {
      await db
        .insertInto(table)
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
}
