import type { Turn } from './turns.ts'
import type { Work } from './work.ts'

/** Does what may take long outside of the event loop. */
export interface Reader {
  /**
   * Throws a ReadingLimit for work that reached a limit, ReadingStopped when the service stops, and
   * what the work itself throws.
   */
  run<Input, Output>(
    work: Work<Input, Output>,
    input: Input,
    terms: ReadingTerms,
  ): Promise<Done<Output>>
}

export interface ReadingTerms {
  turn: Turn
  /** Milliseconds of the limit that were spent before, by other work for the same purpose. */
  spent?: number
}

export interface Done<Output> {
  result: Output
  /** Milliseconds of computing time that it took. */
  spent: number
}

export interface ReadingLimits {
  /** Milliseconds of computing time. */
  time: number
  /** Of the heap of a thread. */
  megabytes: number
}

/** Work that was ended since it took more than it can have. The message is for users. */
export class ReadingLimit extends Error {
  readonly spent: number

  constructor(message: string, spent: number) {
    super(message)
    this.spent = spent
  }
}

/** Work that was ended, or not begun, since the service stops. It can be done again after a start. */
export class ReadingStopped extends Error {
  constructor() {
    super('the service stops: what it was reading is read again after its next start')
  }
}
