import { randomUUID } from 'node:crypto'
import { type FoundLanguage, readSurvey, surveyProgram } from '../script/language/survey.ts'
import type { Executor } from './executor.ts'

const seconds = 60

/** The languages that a job of this executor finds, and their versions. Throws as `start` does. */
export async function surveyLanguages(executor: Executor): Promise<FoundLanguage[]> {
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
