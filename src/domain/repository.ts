import type { OwnerType, Provider } from './owner.ts'

export interface Repository {
  id: number
  provider: Provider
  codehost_id: number
  owner_id: number
  owner_type: OwnerType
  owner_name: string
  name: string
  description: string | null
  homepage: string | null
  private: boolean
  fork: boolean
  active: boolean
  default_branch_name: string
  /** Also stored with the branch; kept here because lists of repositories are sorted by it. */
  default_branch_last_build_id: number | null
  codehost_language: string | null
  installation_id: number | null
  managed_by_installation: boolean
  next_build_number: number
  build_count: number
  /** The newest build that has started, or has ended with an error before (ST-27). */
  last_build_id: number | null
  last_build_started_at: Date | null
  archived_at: Date | null
  invalidated_at: Date | null
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
}

/** The fields with which the code host is queried about a repository. */
export interface AddressedRepository extends Pick<
  Repository,
  'id' | 'provider' | 'codehost_id' | 'owner_name' | 'name' | 'private' | 'default_branch_name'
> {
  /** The code host's number of the installation of the app. */
  installation_codehost_id: number | null
}

/** A repository with all fields that its verbs need. */
export type FoundRepository = Repository & Pick<AddressedRepository, 'installation_codehost_id'>

export function slugOf({ owner_name, name }: Pick<Repository, 'owner_name' | 'name'>): string {
  return `${owner_name}/${name}`
}

/** The provider-specific type of a record, as V3 shows it: `CodehostRepository`. */
export function vcsType(
  { provider }: Pick<Repository, 'provider'>,
  kind: 'Repository' | 'User' | 'Organization',
): string {
  return `${provider === 'local' ? 'Local' : 'Codehost'}${kind}`
}

export interface Permission {
  user_id: number
  repository_id: number
  pull: boolean
  push: boolean
  admin: boolean
}

export type Role = Pick<Permission, 'pull' | 'push' | 'admin'>

/** A record as one viewer sees it: with that viewer's role on its repository, null without one. */
export type Seen<T> = T & { role: Role | null }
