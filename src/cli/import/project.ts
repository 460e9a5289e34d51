import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { resolveReference } from '../../buildfile/imports/reference.ts'
import { readBuildFile } from '../../buildfile/read-build-file.ts'
import { observedBuildFiles } from '../../domain/config/observed-names.ts'
import { adviceOn, otherBuildFile } from '../../domain/request/other-build-files.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { importsOf } from '../../lint/jobs/job-notes.ts'
import { UsageError } from '../errors.ts'
import { git } from '../git-copy.ts'
import { buildFileName } from '../linter/input.ts'
import { type LeftFile, type ProjectFile, readProjectFile } from './read-file.ts'
import { mentioningFiles } from './tracked-files.ts'

export interface ImportedProject {
  /** The real path, without links. */
  folder: string
  /** The build file, then the files that it imports from the same repository. */
  buildFiles: ProjectFile[]
  /** Other files that mention the observed service. */
  scripts: ProjectFile[]
  left: LeftFile[]
}

/** Reads the files an import may change: build files, and tracked files that name the observed service. */
export async function openProject(argument: string): Promise<ImportedProject> {
  const folder = await folderOf(argument)
  const buildFile = readMainFile(folder, buildFileIn(folder, argument), argument)
  const imported = importedFiles(folder, buildFile)
  const known = [buildFile, ...imported].map(({ name }) => name)
  const others = (await mentioningFiles(folder)).filter((name) => !known.includes(name))
  const scripts = others.map((name) => readProjectFile(folder, name))
  return {
    folder,
    buildFiles: [buildFile, ...imported.filter((file) => 'text' in file)],
    scripts: scripts.filter((file) => 'text' in file),
    left: [...imported, ...scripts].filter((file) => 'why' in file),
  }
}

/** The folder, which must be the top of its repository: builds read the build file there. */
async function folderOf(argument: string): Promise<string> {
  const refuse = (what: string): never => {
    throw new UsageError(`${visible(argument)} ${what}`)
  }
  if (!existsSync(argument))
    return refuse('does not exist: name the top folder of a git repository')
  const folder = realpathSync(argument)
  const top = await git(folder, ['rev-parse', '--show-toplevel']).catch(() => undefined)
  if (top === folder) return folder
  return refuse(
    top === undefined
      ? 'is not in a git repository with a work tree: name the top folder of such a repository'
      : `is not the top folder of its repository, where builds read the build file: name ${visible(top)}`,
  )
}

/** The name of the build file: the observed service's, or ours after an import. */
function buildFileIn(folder: string, argument: string): string {
  const isThere = (name: string) =>
    lstatSync(path.join(folder, name), { throwIfNoEntry: false }) !== undefined
  const [name, other] = [...observedBuildFiles, buildFileName].filter(isThere)
  const where = visible(argument)
  if (name === undefined) {
    const found = otherBuildFile(readdirSync(folder))
    const advice = found ? adviceOn(found, buildFileName) : 'name the top folder of a repository'
    throw new UsageError(`there is no ${observedBuildFiles[0]} in ${where}: ${advice}`)
  }
  if (other === undefined) return name
  throw new UsageError(
    `${where} has both ${name} and ${other}: remove the outdated one, then try again`,
  )
}

function readMainFile(folder: string, name: string, argument: string): ProjectFile {
  const file = readProjectFile(folder, name)
  const refuse = (why: string): never => {
    throw new UsageError(`${visible(path.join(argument, name))} cannot be imported: ${why}`)
  }
  if ('why' in file) return refuse(file.why)
  const { error } = readBuildFile(file.text)
  return error ? refuse(`line ${error.line}: ${error.message}`) : file
}

/** The files that a build file imports from its own repository, directly or through other files. */
function importedFiles(folder: string, buildFile: ProjectFile): (ProjectFile | LeftFile)[] {
  const found: (ProjectFile | LeftFile)[] = [buildFile]
  // The list grows during the loop.
  for (const file of found) {
    const names = 'text' in file ? importedNames(file) : []
    for (const name of names) {
      if (!found.some((known) => known.name === name)) found.push(readProjectFile(folder, name))
    }
  }
  return found.slice(1)
}

function importedNames({ name, text }: ProjectFile): string[] {
  const from = { repository: '.', path: name, ref: null }
  return importsOf(readBuildFile(text).config).flatMap((source) => {
    const target = resolveReference(source, from, (part) => part)
    return target?.repository === '.' && target.ref === null ? target.path : []
  })
}
