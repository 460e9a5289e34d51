import path from 'node:path'
import type { Report } from '../../../lint/finding.ts'
import { readSettings } from '../../../lint/project/read-settings.ts'
import { noSettings, type ProjectSettings, settingsPath } from '../../../lint/project/settings.ts'
import { findAbove } from './folders.ts'
import { readRepositoryFile } from './read-file.ts'

/** The project that build files belong to, as its settings describe it. */
export interface Project {
  settings: ProjectSettings
  /** Where the settings lie, which their patterns start from; null without settings. */
  folder: string | null
  /** What is wrong with the settings, if anything is. */
  report: Report | null
}

const none: Project = { settings: noSettings, folder: null, report: null }

/** Finds the settings that hold in a folder, and reads each file of them once. */
export function projectFinder(): (folder: string) => Project {
  const known = new Map<string, Project>()
  return (folder) => {
    const file = findAbove(path.resolve(folder), settingsPath)
    if (file === undefined) return none
    const project = known.get(file) ?? readProject(file)
    known.set(file, project)
    return project
  }
}

function readProject(file: string): Project {
  const name = path.relative(process.cwd(), file)
  const text = readRepositoryFile(name).toString('utf8')
  const { settings, problems } = readSettings(text, name)
  const report = problems.length === 0 ? null : { file: name, text, findings: problems }
  return { settings, folder: path.dirname(file), report }
}
