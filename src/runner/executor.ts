/** What an executor found out about the machine it would run jobs on. */
export interface Probe {
  ok: boolean
  /** One line for the operator: what was found, or what is missing and how to get it. */
  says: string
  isolation: 'none' | 'tree' | 'sandbox' | 'container' | 'pod'
  /** Which of a job's limits hold. Those that do not are taken without a word and not kept. */
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
  /** Complete, all secrets but the key included. It is handed over as a file of mode 0600 that only this step sees. */
  script: string
  /**
   * A private key for SSH. Descriptor 4 has it, to be read once: what the step runs later finds it neither
   * in the script nor in the memory of a shell.
   */
  ssh_key?: string
  image?: string
}

/** A folder of this machine that the step `clone` may read a copy of. */
export interface Input {
  /** Names the copy below `$SERVICE_INPUT`: letters, digits, `.`, `_` and `-`. */
  name: string
  path: string
}

export interface JobSpec {
  job_id: number
  /** Unique. It names every folder, container, volume, pod and secret of this run. */
  run_id: string
  steps: readonly [Step, ...Step[]]
  inputs: readonly Input[]
  limits: { memory_bytes?: number; cpus?: number; processes?: number; disk_bytes?: number }
  network: boolean
  /** After this an engine ends the run by itself, should the runner be gone. */
  deadline_seconds: number
}

export type Exit =
  /** The code of the last step, or of the first one that did not end with 0. */
  | { kind: 'exited'; code: number }
  /** Ended by `kill()`. */
  | { kind: 'killed' }
  | { kind: 'out_of_memory' }
  /**
   * The engine or the machine went away, or had no room for the clone, so it is tried again;
   * `running`: while its commands ran.
   */
  | { kind: 'lost'; why: string; running?: true }
  /** The code host refused the credential that the commit is fetched with. */
  | { kind: 'refused' }

/**
 * No machine could be had. When the user is to blame, the job ends errored with this text; when the
 * machine is, the job is tried again.
 */
export class StartError extends Error {
  readonly blame: 'user' | 'machine'

  constructor(blame: 'user' | 'machine', message: string, options?: ErrorOptions) {
    super(message, options)
    this.blame = blame
  }
}

/** A job on its machine. Whoever started it calls `dispose()`, whatever happened in between. */
export interface Running {
  /**
   * The bytes that all steps print, as on a terminal. Reading is what keeps the job going: while
   * nobody reads, the job stops at its next line. To be read once.
   */
  readonly output: AsyncIterable<Uint8Array>
  /** Settles once, after all output was offered. Never rejects. */
  wait(): Promise<Exit>
  /**
   * Drops what was not read yet, then kills whatever the job has started. Resolves when nothing of
   * it runs any more. Never rejects; may be called at any time, and twice.
   */
  kill(): Promise<void>
  /** `kill()`, then removal of all that the run has made. Never rejects; may be called twice. */
  dispose(): Promise<void>
}

/** One way of running the programs of a job. It knows no database and no limits of time. */
export interface Executor {
  readonly name: 'process' | 'docker' | 'kubernetes'
  /** Looks at the machine once; later calls get the first answer. */
  probe(): Promise<Probe>
  /**
   * Resolves when the first step runs. Throws a StartError, or the signal's reason when that is
   * aborted first; nothing is left behind then. Afterwards the signal has no effect.
   */
  start(spec: JobSpec, signal: AbortSignal): Promise<Running>
  /** Runs a small program as a job would be run, and returns what was wrong with that, if anything. */
  tryOut(): Promise<string | undefined>
  /** Removes what earlier lives of this runner have left behind, and answers their run ids. */
  reap(runner_id: string): Promise<string[]>
  /** Disposes of all that still runs. */
  close(): Promise<void>
}
