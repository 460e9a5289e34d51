import { buildFileName } from '../linter/input.ts'
import { type Difference, withoutRepeats } from './difference.ts'
import { differencesIn } from './differences.ts'
import { importBuildFile, importScript } from './import-text.ts'
import type { ImportedProject } from './project.ts'
import type { ProjectFile } from './read-file.ts'
import { mentionsIn, variablesSetIn } from './rename-words.ts'
import { reasonToLeave } from './tracked-files.ts'

/** A file with its new name and text. */
export interface ImportChange {
  file: ProjectFile
  name: string
  text: string
}

export interface ImportPlan {
  changes: ImportChange[]
  differences: Difference[]
}

/** The changes of an import, and the remaining work. */
export function planImport({ buildFiles, scripts, left }: ImportedProject): ImportPlan {
  const files = [
    ...buildFiles.map((file, index) => ({
      file,
      name: index === 0 ? buildFileName : file.name,
      text: importBuildFile(file.text),
    })),
    ...scripts
      .filter(({ name }) => reasonToLeave(name) === undefined)
      .map((file) => ({ file, name: file.name, text: importScript(file.text) })),
  ]
  const isPart = buildFiles.length > 1
  const own = new Set(files.flatMap(({ text }) => variablesSetIn(text)))
  const differences = [
    ...files.flatMap(({ file, name, text }) => {
      const found = buildFiles.includes(file) ? differencesIn(name, text, isPart) : []
      return [...found, ...mentionsIn(name, text, own)].toSorted(byLine)
    }),
    ...[...left, ...leftAlone(scripts)].map(({ name, why }): Difference => ({
      kind: 'unchanged',
      file: name,
      line: null,
      text: why,
    })),
  ]
  return {
    changes: files.filter(({ file, name, text }) => file.name !== name || file.text !== text),
    differences: withoutRepeats(differences),
  }
}

const byLine = (one: Difference, other: Difference) => (one.line ?? 0) - (other.line ?? 0)

/** Files with names to replace that are left alone because of their type. */
function leftAlone(scripts: readonly ProjectFile[]): { name: string; why: string }[] {
  return scripts.flatMap(({ name, text }) => {
    const why = reasonToLeave(name)
    return why === undefined || importScript(text) === text ? [] : { name, why }
  })
}
