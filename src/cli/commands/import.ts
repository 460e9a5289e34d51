import { visible } from '../../domain/text/escape-control-characters.ts'
import { plainName } from '../../lint/plain-name.ts'
import { headings, type Difference } from '../import/difference.ts'
import { type ImportChange, planImport } from '../import/plan.ts'
import { openProject } from '../import/project.ts'
import { hunksOf } from '../import/unified-diff.ts'
import { writeChanges } from '../import/write-changes.ts'
import { paint } from '../terminal.ts'

interface ImportOptions {
  dryRun?: boolean
}

/** Renames the file and names of the observed service in a project, and lists the remaining work. */
export async function importProject(argument: string, options: ImportOptions): Promise<void> {
  const project = await openProject(argument)
  const { changes, differences } = planImport(project)
  if (options.dryRun) {
    for (const line of changes.flatMap(diffOf)) console.log(line)
  } else {
    await writeChanges(project.folder, changes)
    for (const { file, name } of changes) {
      const renamed = name === file.name ? '' : ` (was ${file.name})`
      console.log(visible(`changed ${name}${renamed}`))
    }
  }
  if (changes.length === 0) console.log('nothing to rename')
  for (const line of listOf(differences)) console.log(line)
  if (!options.dryRun) console.log(`\n${nextStep(changes.length > 0)}`)
}

function nextStep(hasChanged: boolean): string {
  const tried = 'build-service lint, try it with build-service run'
  if (!hasChanged) return `Next: check the file with ${tried}.`
  return `Next: see the changes with git diff HEAD, check the file with ${tried}, then commit.`
}

function diffOf({ file, name, text }: ImportChange): string[] {
  const [before, after] = [visible(file.name), visible(name)]
  const isRenamed = file.name !== name
  const hunks = hunksOf(file.text, text)
  return [
    paint('bold', `diff --git a/${before} b/${after}`),
    ...(isRenamed ? [`rename from ${before}`, `rename to ${after}`] : []),
    ...(hunks.length > 0 ? [`--- a/${before}`, `+++ b/${after}`] : []),
    ...hunks.map(shownLine),
  ]
}

/** A line of a hunk with its tabs; other characters that act on a terminal are escaped. */
function shownLine(line: string): string {
  const text = line.replace(/\r$/, '').split('\t').map(visible).join('\t')
  const colour = colours[line.charAt(0)]
  return colour ? paint(colour, text) : text
}

const colours: Readonly<Record<string, 'red' | 'green' | 'blue'>> = {
  '-': 'red',
  '+': 'green',
  '@': 'blue',
}

function listOf(differences: readonly Difference[]): string[] {
  return Object.entries(headings).flatMap(([kind, heading]) => {
    const found = differences.filter((each) => each.kind === kind)
    if (found.length === 0) return []
    return ['', paint('bold', `${heading}:`), ...found.map(lineOf)]
  })
}

function lineOf({ file, line, text }: Difference): string {
  return `  ${plainName(file)}:${line ?? ''} ${visible(text)}`
}
