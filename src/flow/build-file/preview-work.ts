import type { ConditionData } from '../../buildfile/conditions/data.ts'
import { expandJobs } from '../../buildfile/expand/expand-jobs.ts'
import { type ExplainedDrop, explainJobs } from '../../buildfile/expand/explain-jobs.ts'
import type { PlannedJob } from '../../buildfile/expand/plan.ts'
import type { Config } from '../../buildfile/expand/values.ts'
import type { Raw } from '../../buildfile/imports/source.ts'
import { workOf } from '../../reader/work.ts'
import { buildFilePath, type ConfigRead, locatorsIn } from './config-read.ts'
import { readTexts, type Texts } from './read-texts.ts'
import type { Wanted } from './read-with-imports.ts'
import { type NewMessage, storedMessage } from './stored-message.ts'
import { withFindings } from './with-findings.ts'

export interface PreviewInput extends Texts {
  data: ConditionData
}

/** The jobs that a configuration leads to, and the reasons. */
export interface Preview {
  raw: Raw[]
  config: Config
  /** If there are too many, only the first jobs. */
  jobs: PlannedJob[]
  dropped: ExplainedDrop[]
  messages: NewMessage[]
  /**
   * The error of an unreadable text, in a sentence, and the source of the text; null if all are
   * readable.
   */
  unreadable: { text: string; src: string } | null
}

/** Reads texts with their imports, as far as they are loaded, and expands them into jobs. */
export const previewWork = workOf(
  import.meta.url,
  'previewWork',
  async (input: PreviewInput): Promise<{ preview: Preview } | Wanted> => {
    const done = await readTexts(input, input.data)
    return 'wanted' in done ? done : { preview: previewOf(done.read, input.data) }
  },
)

function previewOf(read: ConfigRead, data: ConditionData): Preview {
  const nothing = { raw: [], config: {}, jobs: [], dropped: [], messages: [], unreadable: null }
  if (read.kind === 'broken') {
    const { raw, messages, error, reason, source } = read
    const unreadable =
      error === 'parse' ? { text: reason, src: source?.file ?? buildFilePath } : null
    return { ...nothing, raw, messages, unreadable }
  }
  if (read.kind !== 'read') return nothing
  const { config, raw, placeOf } = read
  const options = { data, ...locatorsIn(placeOf) }
  const plan = expandJobs(config, options)
  const expanding = plan.messages.map((message) =>
    withFindings(
      storedMessage(message, buildFilePath, () => undefined),
      plan.dropped,
    ),
  )
  const { dropped } = explainJobs(config, options)
  const messages = [...read.messages, ...expanding]
  return { ...nothing, raw, config, jobs: plan.jobs, dropped, messages }
}
