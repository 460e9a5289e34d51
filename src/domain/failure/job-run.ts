import type { FinalState } from '../job/job.ts'
import type { Failure } from './failure.ts'

/** What a run had besides its commit: all that can make two runs of one commit end differently. */
export interface RunInputs {
  /** Hash of the job's part of the build file. */
  definition: string
  /** What programs said of their versions, by the command that asked them. */
  versions: Record<string, string>
  image: string | null
  runner: string
  /** Salted hashes of the variables of the settings, by their names. */
  variables: Record<string, string>
  /** Hashes of the imported files, by their sources. */
  imports: Record<string, string>
}

/** One run of a job that ended by itself. */
export interface JobRun {
  job_id: number
  attempt: number
  repository_id: number
  /** The same for jobs at the same position of their builds with the same keys. */
  job_key: string
  branch: string
  pull_request_id: number | null
  /** The commit that was tested: of a pull request the merge commit. */
  sha: string
  state: FinalState
  inputs: RunInputs
  /** Null for a run that passed. */
  failure: Failure | null
  ended_at: Date
}
