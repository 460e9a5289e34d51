import type { ImageRequest } from '../script/images/choose-image.ts'
import type { RequestedServices } from '../script/services/requested-services.ts'

/** What an executor found out about the machine it would run jobs on. */
export interface Probe {
  ok: boolean
  /** One line for the operator: the available executor, or the missing part and how to install it. */
  says: string
  isolation: 'none' | 'tree' | 'sandbox' | 'container' | 'pod'
  /** Whether the root user of a job currently has no root rights in the machine's kernel: an ordinary user, or root of a kernel of its own. */
  confines_root?: boolean
  /** Which of a job's limits are enforced. Other limits are accepted silently and ignored. */
  enforces: {
    memory: boolean
    cpu: boolean
    processes: boolean
    disk: boolean
    no_network: boolean
  }
  warnings: string[]
}

/** One bash program. The steps of a job share its home and never run at the same time. */
export interface Step {
  name: 'clone' | 'job'
  /** Complete, with all secrets except the key. A file of mode 0600 that only this step can read. */
  script: string
  /**
   * A private key for SSH, readable once from descriptor 4: programs that the step runs later find the
   * key neither in the script nor in the memory of a shell.
   */
  ssh_key?: string
}

/** The data from which the image of the step `job` is chosen, for executors that have images. */
export interface JobImage extends ImageRequest {
  /** The folder of the checkout, below the home. */
  checkout: string
}

/** A folder of this machine that the step `clone` may read a copy of. */
export interface JobInput {
  /** Names the copy below `$SERVICE_INPUT`: letters, digits, `.`, `_` and `-`. */
  name: string
  path: string
}

export interface JobSpec {
  job_id: number
  /** Unique. It names every folder, container, volume, pod and secret of this run. */
  run_id: string
  steps: readonly [Step, ...Step[]]
  inputs: readonly JobInput[]
  /** Absent if the executor's own default fits, as for programs of the service. */
  image?: JobImage
  /**
   * The services beside the step `job`, for executors that have images. The limit of memory
   * includes them.
   */
  services?: RequestedServices
  /** Names of the machine itself, for executors that give each job a separate network. */
  names?: { hosts: readonly string[]; hostname?: string }
  limits: { memory_bytes?: number; cpus?: number; processes?: number; disk_bytes?: number }
  network: boolean
  /** The host that the step `clone` fetches from, which may be the job's own machine. */
  code_host?: string
  /** After this time an engine ends the run automatically, in case the runner is gone. */
  deadline_seconds: number
}

export type Exit =
  /** Exit code of the last step, or of the first step that did not exit with 0. */
  | { kind: 'exited'; code: number }
  /** Ended by `kill()`, or in any way after `terminate()`. */
  | { kind: 'killed' }
  | { kind: 'out_of_memory' }
  /** The run's files exceeded their limit. */
  | { kind: 'out_of_disk' }
  /**
   * The engine or the machine went away, or had no room for the clone, so the job is retried; `running`:
   * this happened while its commands ran.
   */
  | { kind: 'lost'; why: string; running?: true }
  /** The code host refused the credential for fetching the commit. */
  | { kind: 'refused' }

/**
 * No machine could be started. If the user is to blame, the job ends errored with this text; if the
 * machine is, the job is retried.
 */
export class StartError extends Error {
  readonly blame: 'user' | 'machine'

  constructor(blame: 'user' | 'machine', message: string, options?: ErrorOptions) {
    super(message, options)
    this.blame = blame
  }
}

/** A job on its machine. The caller that started it must always call `dispose()`. */
export interface Running {
  /**
   * The bytes that all steps print, as on a terminal. The job only continues while its output is read:
   * without a reader, it stops at its next line. Can be read once.
   */
  readonly output: AsyncIterable<Uint8Array>
  /**
   * The image of the step `job`, and the id to which its name resolved; undefined before the step
   * begins, and absent for executors without images.
   */
  image?(): { name: string; id: string } | undefined
  /** Settles once, after all output was offered. Never rejects. */
  wait(): Promise<Exit>
  /**
   * Sends TERM to all processes of the current step, however they were started, and starts no further
   * step. Never rejects; does nothing after the end.
   */
  terminate(): Promise<void>
  /**
   * Drops unread output, then kills all processes that the job has started. Resolves when none of them
   * runs. Never rejects; may be called at any time, and twice.
   */
  kill(): Promise<void>
  /**
   * Calls `kill()`, then removes everything that the run has created. Never rejects; can be called
   * twice.
   */
  dispose(): Promise<void>
}

/** A way of running the programs of a job, without access to the database and without time limits. */
export interface Executor {
  readonly name: 'process' | 'docker'
  /** Examines the machine once; later calls return the first result, but `confines_root` as it is now. */
  probe(): Promise<Probe>
  /**
   * Resolves when the first step runs. Throws a StartError, or the signal's reason if the signal is
   * aborted first; nothing is left behind in either case. Once resolved, the signal has no effect.
   */
  start(spec: JobSpec, signal: AbortSignal): Promise<Running>
  /** Runs a small program the way a job would be run, and returns the problem found, if any. */
  tryOut(): Promise<string | undefined>
  /**
   * Removes the remains of finished runs of this runner, such as those of its earlier processes, and
   * returns their run ids. May be called while jobs run.
   */
  reap(runner_id: string): Promise<string[]>
  /** The images that the executor has pulled and still has; absent for executors without images. */
  stored?(): Promise<{ images: number; bytes: number }>
  /** Disposes of all runs that still exist. */
  close(): Promise<void>
}
