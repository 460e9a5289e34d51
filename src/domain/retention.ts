/** Limits for finished builds; null keeps all. */
export interface Retention {
  /** Days after which logs are removed. */
  log_days: number | null
  /** Days after which builds and requests are deleted. */
  build_days: number | null
  /** The number of newest builds of each branch that are kept whatever their age. */
  builds_kept: number | null
}

/** A build that retention deleted. Its number and jobs are stored, so that old links can explain it. */
export interface DeletedBuild {
  id: number
  repository_id: number
  number: number
  private: boolean
  deleted_at: Date
}
