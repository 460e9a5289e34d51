import { ServiceError } from '../domain/errors.ts'

/** Bytes of an object, from `start` up to and without `end`. */
export interface ByteRange {
  start: number
  end: number
}

/** How an address shows an object to people who follow it. */
export interface Shown {
  disposition: string
  /** Seconds for which the address can be used. */
  seconds: number
}

/** Keeps objects under keys. A key is written once, and never again after its object was deleted. */
export interface ObjectStore {
  /** Where it is, without credentials; it is stored with each object. */
  place: string
  /** Writes an object as a whole or not at all. */
  put(key: string, body: Buffer<ArrayBuffer>): Promise<void>
  /** Throws MissingObject if there is none. */
  get(key: string, range?: ByteRange): Promise<Buffer>
  /** Deletes an object, and what a write that was interrupted left of it. A missing one is fine. */
  delete(key: string): Promise<void>
  /** A signed address of a compressed text; missing where clients cannot read it themselves. */
  addressOf?(key: string, shown: Shown): Promise<string>
  /** Throws StoreError if it cannot be used now. */
  check(): Promise<void>
  /** Checks that an object can be written, read and deleted. Returns what its operator should know. */
  examine(): Promise<string[]>
}

/** The stores of this installation. */
export interface Objects {
  /** Where new objects are written; undefined where logs stay in the database. */
  current: ObjectStore | undefined
  /** The store with this place, which can be one that was used before. Throws StoreError if it is out of reach. */
  at(place: string): ObjectStore
}

/** A store cannot be used now. Callers get a message without addresses; `reason` is for the operator. */
export class StoreError extends ServiceError {
  readonly reason: string

  constructor(reason: string, cause?: unknown) {
    super('unavailable', 'the store of finished logs cannot be reached: try again later', {
      retry_after: 30,
    })
    this.reason = reason
    this.cause = cause
  }
}

/** There is no object with this key. */
export class MissingObject extends Error {
  constructor(key: string) {
    super(`there is no object ${key}`)
  }
}

/** Refuses keys that could mean something else to a file system or in a signature. */
export function checkKey(key: string): string {
  if (!/^(?:[a-z\d_-][a-z\d._-]*\/)*[a-z\d_-][a-z\d._-]*$/.test(key)) {
    throw new Error(`${key} cannot be the key of an object`)
  }
  return key
}
