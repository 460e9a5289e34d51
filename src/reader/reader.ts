import type { Turn } from './turns.ts'
import type { Work } from './work.ts'

/** Runs work that may take long outside of the event loop. */
export interface Reader {
  /**
   * Throws a ReadingLimit for work that reached a limit, ReadingStopped when the service stops, and any
   * error of the work itself.
   */
  run<Input, Output>(
    work: Work<Input, Output>,
    input: Input,
    terms: ReadingTerms,
  ): Promise<Done<Output>>
}

export interface ReadingTerms {
  turn: Turn
  /** Milliseconds of the limit already spent by earlier work for the same purpose. */
  spent?: number
}

export interface Done<Output> {
  result: Output
  /** Milliseconds of computing time that the work took. */
  spent: number
}

export interface ReadingLimits {
  /** Milliseconds of computing time. */
  time: number
  /** Size of a thread's heap. */
  megabytes: number
}

/** Work that was ended because it exceeded a limit. The message is for users. */
export class ReadingLimit extends Error {
  readonly spent: number

  constructor(message: string, spent: number) {
    super(message)
    this.spent = spent
  }
}

/** Work that was ended, or not begun, because the service stops. It can be repeated after a restart. */
export class ReadingStopped extends Error {
  constructor() {
    super('the service stops: what it was reading is read again after its next start')
  }
}
