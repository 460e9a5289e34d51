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
