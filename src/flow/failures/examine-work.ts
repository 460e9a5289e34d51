import type { ComparedRun, Failure } from '../../domain/failure/failure.ts'
import type { FinalState } from '../../domain/job/job.ts'
import { findFailure } from '../../failure/find-failure.ts'
import { readLog } from '../../failure/read-log.ts'
import { hashOfLine, packShapes, shapesOf, unpackShapes } from '../../failure/shapes.ts'
import { workOf } from '../../reader/work.ts'

/** A passed run with its packed shapes. */
interface PackedRun extends ComparedRun {
  shapes: Uint8Array
}

interface ExamineInput {
  /** The text of the log. */
  log: string
  state: FinalState
  /** The passed runs to compare with. */
  green: readonly PackedRun[]
}

interface ReadRun {
  /** Null for a run that passed. */
  failure: Failure | null
  /** Packed shapes of a run that passed. */
  shapes: Uint8Array | null
  versions: Record<string, string>
  /** Hash of the shape of the likeliest cause. */
  cause: string | null
}

/** Reads the log of a run that ended: the shapes of a passed run, or the cause of a failed one. */
export const examineWork = workOf(
  import.meta.url,
  'examineWork',
  ({ log, state, green }: ExamineInput): ReadRun => {
    const read = readLog(log)
    const { versions } = read
    if (state === 'passed') {
      return { failure: null, shapes: packShapes(shapesOf(read.lines)), versions, cause: null }
    }
    const compared = green.map(({ job_id, number }) => ({ job_id, number }))
    const found = findFailure(
      read,
      green.map(({ shapes }) => unpackShapes(shapes)),
    )
    const [first] = found.lines
    const cause = first ? hashOfLine(first.text).toString(16) : null
    return { failure: { ...found, compared }, shapes: null, versions, cause }
  },
)
