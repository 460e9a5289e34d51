/** An environment variable in the settings of a repository. */
export interface EnvVar {
  id: string
  repository_id: number
  name: string
  sealed_value: string
  /** Whether its value is shown, and in clear text in logs. */
  public: boolean
  /** The only branch that it is for; null for all. */
  branch: string | null
  created_at: Date
  updated_at: Date
}

/**
 * The variables that apply to a build of this branch (of a pull request its base; null for a tag), one for
 * each name: one for the branch wins over one for all, and of several the last that was added.
 */
export function applicableVariables<T extends Pick<EnvVar, 'name' | 'branch'>>(
  variables: readonly T[],
  branch: string | null,
): T[] {
  const ofAll = variables.filter((variable) => variable.branch === null)
  const own = variables.filter((variable) => variable.branch === branch)
  return [...new Map([...ofAll, ...own].map((variable) => [variable.name, variable])).values()]
}
