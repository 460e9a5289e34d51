import type { Selectable } from 'kysely'
import { branchRef } from '../../domain/commit/commit.ts'
import { isRefName } from '../ref-names.ts'
import { findCommit } from './commits.ts'
import type { Local } from './local.ts'
import { contains, tipsOf } from './refs/refs.ts'
import { refusal } from './refusal.ts'
import { type LocalRepository, type Registered, repositoryOf } from './repositories.ts'
import type { LocalDatabase, LocalTables } from './tables.ts'

type Row = Selectable<LocalTables['local_codehost.pulls']>
export type LocalPull = Omit<Row, 'repository_id'>

const columns = [
  'number',
  'title',
  'base_ref',
  'head_ref',
  'head_sha',
  'state',
  'created_at',
] as const

interface NewPull {
  /** Names of branches. */
  base: string
  head: string
  /** By default the first line of the newest commit. */
  title?: string
}

/** Opens a pull request from one branch of a repository to another. `notify` reports it. */
export async function openPull(
  local: Local,
  registered: Registered,
  { base, head, title }: NewPull,
): Promise<LocalPull> {
  const repository = await repositoryOf(local, registered)
  const tip = await mergeableTip(local, repository, base, head)
  const commit = await findCommit(local.git, repository.path, tip)
  const named = title ?? commit?.message.split('\n', 1)[0] ?? ''
  const pull = { title: named || head, base_ref: base, head_ref: head, head_sha: tip }
  return local.db.transaction().execute((tx) => insertPull(tx, repository, pull))
}

/** Closes a pull request; a closed one stays closed. `notify` reports it. */
export async function closePull(
  local: Pick<Local, 'db'>,
  registered: Registered,
  number: number,
): Promise<LocalPull> {
  const repository = await repositoryOf(local, registered)
  const pull = await updatePull(local.db, repository, number, { state: 'closed' })
  if (pull) return pull
  throw refusal(`${repository.owner}/${repository.name} has no pull request ${number}`)
}

export function pullsOf(
  { db }: Pick<Local, 'db'>,
  { codehost_id }: Registered,
): Promise<LocalPull[]> {
  return db
    .selectFrom('local_codehost.pulls')
    .select(columns)
    .where('repository_id', '=', codehost_id)
    .orderBy('number')
    .execute()
}

export function findPull(
  { db }: Pick<Local, 'db'>,
  { codehost_id }: Registered,
  number: number,
): Promise<LocalPull | undefined> {
  return db
    .selectFrom('local_codehost.pulls')
    .select(columns)
    .where('repository_id', '=', codehost_id)
    .where('number', '=', number)
    .executeTakeFirst()
}

/**
 * Updates the open pull requests to the current state of their branches, and returns those that remain
 * open. A pull request is closed when a branch is missing, or when its base contains its head.
 */
export async function followBranches(
  local: Local,
  repository: LocalRepository,
  refs: ReadonlyMap<string, string>,
): Promise<LocalPull[]> {
  const open = (await pullsOf(local, repository)).filter(({ state }) => state === 'open')
  const followed: LocalPull[] = []
  for (const pull of open) {
    const base = refs.get(branchRef(pull.base_ref))
    const head = refs.get(branchRef(pull.head_ref))
    const ended = !base || !head || (await contains(local.git, repository.path, base, head))
    const changes = {
      head_sha: head ?? pull.head_sha,
      ...(ended ? { state: 'closed' as const } : {}),
    }
    const now = await updatePull(local.db, repository, pull.number, changes)
    if (now?.state === 'open') followed.push(now)
  }
  return followed
}

async function mergeableTip(
  { git }: Local,
  { owner, name, path }: LocalRepository,
  base: string,
  head: string,
): Promise<string> {
  const slug = `${owner}/${name}`
  for (const branch of [base, head]) {
    if (!isRefName(branch)) throw refusal(`"${branch}" cannot be the name of a branch`)
  }
  const [into, from] = await tipsOf(git, path, [base, head])
  if (into === undefined) throw refusal(`there is no branch ${base} in ${slug} to merge into`)
  if (from === undefined) throw refusal(`there is no branch ${head} in ${slug} to merge`)
  if (await contains(git, path, into, from)) {
    throw refusal(`there is nothing to merge: ${base} has every commit of ${head}`)
  }
  const common = await git(path, ['merge-base', into, from], { accept: [0, 1] })
  if (common.code === 0) return from
  throw refusal(`${base} and ${head} cannot be merged: they have no commit in common`)
}

async function insertPull(
  tx: LocalDatabase,
  { codehost_id: repository_id }: LocalRepository,
  pull: Pick<Row, 'title' | 'base_ref' | 'head_ref' | 'head_sha'>,
): Promise<LocalPull> {
  // A concurrent call for the same repository waits here for its number.
  await tx
    .selectFrom('local_codehost.repositories')
    .select('id')
    .where('id', '=', repository_id)
    .forUpdate()
    .execute()
  const all = await pullsOf({ db: tx }, { codehost_id: repository_id })
  const { base_ref, head_ref } = pull
  const same = all.find(
    (other) => other.state === 'open' && other.base_ref === base_ref && other.head_ref === head_ref,
  )
  if (same)
    throw refusal(`pull request ${same.number} already asks to merge ${head_ref} into ${base_ref}`)

  const number = (all.at(-1)?.number ?? 0) + 1
  return tx
    .insertInto('local_codehost.pulls')
    .values({ ...pull, repository_id, number })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

function updatePull(
  db: LocalDatabase,
  { codehost_id }: LocalRepository,
  number: number,
  changes: Partial<Pick<Row, 'head_sha' | 'state'>>,
): Promise<LocalPull | undefined> {
  return db
    .updateTable('local_codehost.pulls')
    .set(changes)
    .where('repository_id', '=', codehost_id)
    .where('number', '=', number)
    .returning(columns)
    .executeTakeFirst()
}
