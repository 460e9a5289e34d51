import path from 'node:path'
import type { Report } from '../../../lint/finding.ts'
import { readSettings } from '../../../lint/project/read-settings.ts'
import { noSettings, type ProjectSettings, settingsPath } from '../../../lint/project/settings.ts'
import { findAbove } from './folders.ts'
import { readRepositoryFile } from './read-file.ts'

/** The project that build files belong to, as its settings describe it. */
export interface LintedProject {
  settings: ProjectSettings
  /** The folder of the settings, where their patterns start; null without settings. */
  folder: string | null
  /** Problems of the settings, if there are any. */
  report: Report | null
}

const none: LintedProject = { settings: noSettings, folder: null, report: null }

/** Finds the settings that apply to a folder, and reads each settings file once. */
export function projectFinder(): (folder: string) => LintedProject {
  const known = new Map<string, LintedProject>()
  return (folder) => {
    const file = findAbove(path.resolve(folder), settingsPath)
    if (file === undefined) return none
    const project = known.get(file) ?? readProject(file)
    known.set(file, project)
    return project
  }
}

function readProject(file: string): LintedProject {
  const name = path.relative(process.cwd(), file)
  const text = readRepositoryFile(name).toString('utf8')
  const { settings, problems } = readSettings(text, name)
  const report = problems.length === 0 ? null : { file: name, text, findings: problems }
  return { settings, folder: path.dirname(file), report }
}
