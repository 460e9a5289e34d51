import type { OwnerRef, OwnerType } from './owner.ts'

/** An environment variable in the settings of a repository, or of an owner for all repositories. */
export interface EnvVar {
  id: string
  /** Null for one of an owner. */
  repository_id: number | null
  /** Null for one of a repository, as is the id. */
  owner_type: OwnerType | null
  owner_id: number | null
  name: string
  sealed_value: string
  /** Whether its value is shown, and in clear text in logs. */
  public: boolean
  /** The only branch that it is for; null for all. */
  branch: string | null
  created_at: Date
  updated_at: Date
}

/** Whose settings have a variable. */
export type EnvVarHolder = { repository_id: number } | OwnerRef

export function holderOf({ repository_id, owner_type, owner_id }: EnvVar): EnvVarHolder {
  if (repository_id !== null) return { repository_id }
  if (owner_type === null || owner_id === null) throw new Error('a variable belongs to nothing')
  return { owner_type, owner_id }
}

/** What shells accept as the name of a variable. */
export const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Bytes that a value can have. */
export const mostValueBytes = 49_152

/** Variables that a repository can have, and an owner for all repositories. */
export const mostVariables = 500

/** Bytes that the secret values of one job can have together: all are searched for in its log. */
export const mostSecretBytes = 262_144

type Applied = Pick<EnvVar, 'name' | 'branch'>

/**
 * The variables that apply to a build of this branch (of a pull request its base; null for a tag), one for
 * each name: one for the branch wins over one for all, and of several the last that was added.
 */
export function applicableVariables<T extends Applied>(
  variables: readonly T[],
  branch: string | null,
): T[] {
  const ofAll = variables.filter((variable) => variable.branch === null)
  const own = variables.filter((variable) => variable.branch === branch)
  return [...new Map([...ofAll, ...own].map((variable) => [variable.name, variable])).values()]
}

/** The same with those of the owner before them, where the repository has none of that name. */
export function withVariablesOfOwner<T extends Applied>(
  ofOwner: readonly T[],
  ofRepository: readonly T[],
): T[] {
  const names = new Set(ofRepository.map(({ name }) => name))
  return [
    ...applicableVariables(ofOwner, null).filter(({ name }) => !names.has(name)),
    ...ofRepository,
  ]
}
