import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'
import { chooseLanguage } from './choose-language.ts'
import { languageTool } from './language-tools.ts'

/** The version of its language that a job asks for, as `key: version`; undefined where any will do. */
export function askedVersion(config: JobConfig): string | undefined {
  const key = languageTool(chooseLanguage(config).name, config)?.key
  const asked = key === undefined ? undefined : firstText(config[key])
  return asked === undefined ? undefined : `${key}: ${asked}`
}
