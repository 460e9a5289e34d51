import { ServiceError } from '../../domain/errors.ts'
import type { Call } from '../core/endpoint.ts'
import { readFor } from './read-for.ts'
import { type Warning, type WarningsInput, warningsJson, warningsWork } from './warnings.ts'

/**
 * The warnings about a build file, as JSON in bytes. A file that takes too much time or memory to read
 * also gets a warning.
 */
export async function warningsFor(call: Call, input: WarningsInput): Promise<Uint8Array> {
  try {
    return await readFor(call, warningsWork, input)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'too_costly') throw error
    const { message } = error
    const warning: Warning = {
      key: [],
      message,
      level: 'alert',
      code: 'too_costly',
      line: null,
      column: null,
    }
    return warningsJson([warning], input)
  }
}
