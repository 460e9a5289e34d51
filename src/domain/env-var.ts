import type { OwnerRef, OwnerType } from './owner.ts'

/** An environment variable in the settings of a repository, or of an owner for all repositories. */
export interface EnvVar {
  id: string
  /** Null for an owner's variable. */
  repository_id: number | null
  /** Null for a repository's variable, as is the owner's id. */
  owner_type: OwnerType | null
  owner_id: number | null
  name: string
  sealed_value: string
  /** Whether the value is shown, also in clear text in logs. */
  public: boolean
  /** The only branch that the variable applies to; null for all branches. */
  branch: string | null
  created_at: Date
  updated_at: Date
}

/** The repository or owner whose settings contain a variable. */
export type EnvVarHolder = { repository_id: number } | OwnerRef

export function holderOf({ repository_id, owner_type, owner_id }: EnvVar): EnvVarHolder {
  if (repository_id !== null) return { repository_id }
  if (owner_type === null || owner_id === null) throw new Error('a variable belongs to nothing')
  return { owner_type, owner_id }
}

/** Variable names that shells accept. */
export const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Maximum size of a value in bytes. */
export const mostValueBytes = 49_152

/** Maximum number of variables of a repository, and of an owner for all repositories. */
export const mostVariables = 500

/** Maximum total size in bytes of a job's secret values: its log is searched for all of them. */
export const mostSecretBytes = 262_144

type Applied = Pick<EnvVar, 'name' | 'branch'>

/**
 * The variables that apply to a build of `branch` (for a pull request the base branch; null for a tag),
 * one for each name: a variable for the branch wins over one for all branches, and of several the last
 * added wins.
 */
export function applicableVariables<T extends Applied>(
  variables: readonly T[],
  branch: string | null,
): T[] {
  const ofAll = variables.filter((variable) => variable.branch === null)
  const own = variables.filter((variable) => variable.branch === branch)
  return [...new Map([...ofAll, ...own].map((variable) => [variable.name, variable])).values()]
}

/** The repository's variables after the owner's, without owner variables whose name the repository uses. */
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
