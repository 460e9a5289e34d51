import { randomUUID } from 'node:crypto'
import type { Executor } from '../../runner/executor.ts'
import { type FoundLanguage, readSurvey, surveyProgram } from '../../script/language/survey.ts'
import type { Examined } from './examined.ts'

const remedy =
  'install the languages that your repositories use, or name their folders in RUNNER_PATH; ' +
  'jobs that ask for others are errored'

/** Checks which languages jobs find, and in which versions. */
export async function examineLanguages(executor: Executor): Promise<Examined> {
  const subject = 'languages'
  try {
    const languages = await surveyLanguages(executor)
    if (languages.length === 0) {
      return { subject, verdict: 'warning', found: 'jobs find none', remedy }
    }
    return { subject, verdict: 'ok', found: `jobs find ${languages.map(described).join('; ')}` }
  } catch (error) {
    const found = `the search failed: ${(error as Error).message}`
    return { subject, verdict: 'warning', found }
  }
}

function described({ language, versions }: FoundLanguage): string {
  return [language, versions.join(', ')].filter(Boolean).join(' ')
}

const seconds = 60

/** The languages that a job of this executor finds, with versions. Throws the same errors as `start`. */
async function surveyLanguages(executor: Executor): Promise<FoundLanguage[]> {
  const running = await executor.start(
    {
      job_id: 0,
      run_id: `survey-${randomUUID()}`,
      steps: [{ name: 'job', script: surveyProgram() }],
      inputs: [],
      limits: {},
      network: false,
      deadline_seconds: seconds,
    },
    AbortSignal.timeout(seconds * 1000),
  )
  const timer = setTimeout(() => void running.kill(), seconds * 1000)
  try {
    const chunks: Uint8Array[] = []
    for await (const chunk of running.output) chunks.push(chunk)
    return readSurvey(Buffer.concat(chunks).toString())
  } finally {
    clearTimeout(timer)
    await running.dispose()
  }
}
