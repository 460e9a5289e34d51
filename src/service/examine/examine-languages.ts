import type { Executor } from '../../runner/executor.ts'
import { type FoundLanguage, readSurvey, surveyProgram } from '../../script/language/survey.ts'
import type { Examined } from './examined.ts'
import { runProbe } from './run-probe.ts'

const remedy =
  'install the languages that your repositories use, or name their folders in RUNNER_PATH; ' +
  'jobs that ask for any other language end with an error'

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

/** The languages that a job of this executor finds, with versions. Throws the same errors as `start`. */
async function surveyLanguages(executor: Executor): Promise<FoundLanguage[]> {
  const { text } = await runProbe(executor, surveyProgram(), { network: false })
  return readSurvey(text)
}
