import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { RepositoryFacts } from '../../domain/event.ts'
import type { RepositoryRef } from '../codehost.ts'
import type { Local } from './local.ts'
import { isSameName, readSlug } from './names.ts'
import { defaultBranch } from './refs/refs.ts'
import { refusal } from './refusal.ts'

/** Identifies a registered repository by its id: its facts, a ref to it, or the repository itself. */
export type Registered = Pick<RepositoryRef, 'codehost_id'>

export interface LocalRepository extends Registered {
  owner: string
  name: string
  path: string
}

const columns = ['id as codehost_id', 'owner', 'name', 'path'] as const

export function repositoriesOf({ db }: Pick<Local, 'db'>): Promise<LocalRepository[]> {
  return db.selectFrom('local_codehost.repositories').select(columns).orderBy('id').execute()
}

export function findRepository(
  { db }: Pick<Local, 'db'>,
  { codehost_id }: Registered,
): Promise<LocalRepository | undefined> {
  return db
    .selectFrom('local_codehost.repositories')
    .select(columns)
    .where('id', '=', codehost_id)
    .executeTakeFirst()
}

/** The repository of this name; a `name` without an owner belongs to the local owner. */
export function findRepositoryByName(
  { db, owner: user }: Pick<Local, 'db' | 'owner'>,
  text: string,
): Promise<LocalRepository | undefined> {
  const { owner, name } = readSlug(text, user)
  return db
    .selectFrom('local_codehost.repositories')
    .select(columns)
    .where(sql`lower(owner)`, '=', owner.toLowerCase())
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst()
}

export function findRepositoryByPath(
  { db }: Pick<Local, 'db'>,
  path: string,
): Promise<LocalRepository | undefined> {
  return db
    .selectFrom('local_codehost.repositories')
    .select(columns)
    .where('path', '=', path)
    .executeTakeFirst()
}

/** Like `findRepository`, but throws when the repository is not registered. */
export async function repositoryOf(
  local: Pick<Local, 'db'>,
  registered: Registered & { slug?: string },
): Promise<LocalRepository> {
  const repository = await findRepository(local, registered)
  if (repository) return repository
  const name = registered.slug ?? `repository ${registered.codehost_id}`
  throw refusal(
    `${name} is no longer registered on this machine: add it again with "build-service local add"`,
  )
}

export async function repositoryFacts(
  local: Local,
  { codehost_id, owner, name, path }: LocalRepository,
): Promise<RepositoryFacts> {
  return {
    provider: 'local',
    codehost_id,
    name,
    private: false,
    fork: false,
    default_branch: await defaultBranch(local.git, path),
    description: null,
    language: null,
    archived: false,
    owner: ownerFacts(local, owner),
  }
}

const localUserId = 1

/** Owners other than the local user are only names, and appear as organizations. */
export function ownerFacts(
  { owner: user }: Pick<Local, 'owner'>,
  owner: string,
): RepositoryFacts['owner'] {
  if (isSameName(owner, user)) return { codehost_id: localUserId, login: user, type: 'User' }
  return { codehost_id: idOfName(owner), login: owner, type: 'Organization' }
}

/** A number derived from the name; in practice, unique to the name. */
function idOfName(name: string): number {
  return createHash('sha256').update(name.toLowerCase()).digest().readUIntBE(0, 6)
}
