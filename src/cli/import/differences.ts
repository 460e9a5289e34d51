import { isBlank, type Path } from '../../buildfile/expand/values.ts'
import { readBuildFile } from '../../buildfile/read-build-file.ts'
import type { MapNode } from '../../buildfile/tree/node.ts'
import { languagesWithoutCommands } from '../../domain/job/language-tools.ts'
import { advise } from '../../lint/advise.ts'
import type { LintContext } from '../../lint/context/context.ts'
import { openContext } from '../../lint/context/open-context.ts'
import { allCommands } from '../../lint/context/sections.ts'
import type { LintedFile } from '../../lint/finding-of.ts'
import { importsOf } from '../../lint/jobs/job-notes.ts'
import { quote } from '../../lint/quote.ts'
import { noEffectInService } from '../../lint/rules/no-effect-in-service.ts'
import { notificationNotSent } from '../../lint/rules/notification-not-sent.ts'
import type { Difference } from './difference.ts'
import { walk } from './walk.ts'

type Found = Omit<Difference, 'file'>

/**
 * The parts of a build file that must be redone, have no effect here or will differ; none if the file
 * cannot be read. With `isPart`, the file is only a part of a build file, whose jobs are not known.
 */
export function differencesIn(file: string, text: string, isPart: boolean): Difference[] {
  const read = readBuildFile(text)
  if (read.error) return []
  const context = openContext(read)
  const lineAt = (offset: number) => read.prepared.written(offset).line
  const lineOf = (path: Path) => {
    const span = context.keySpanOf(path) ?? context.spanOf(path)
    return span ? lineAt(span.start) : null
  }
  const found: Found[] = [
    ...secretsIn(read.root, lineAt),
    ...withoutEffect(context, { name: file, prepared: read.prepared }),
    ...(isPart ? [] : withoutCommands(context, lineOf)),
    ...foreignImports(context, lineOf),
    ...callsOfSudo(context, lineOf),
  ]
  return found.map((each) => ({ ...each, file }))
}

function secretsIn(root: MapNode, lineAt: (offset: number) => number): Found[] {
  const found: Found[] = []
  walk(root, (node, path) => {
    if (node.kind !== 'secure') return
    const text =
      `${quote(path.join('.'))} is encrypted with a key of the former service: encrypt it with ` +
      'build-service encrypt, and replace the value'
    found.push({ kind: 'secret', line: lineAt(node.start), text })
  })
  return found
}

/** Keys without effect, in the linter's words. */
function withoutEffect(context: LintContext, file: LintedFile): Found[] {
  return advise(context, file, [noEffectInService, notificationNotSent]).map(
    ({ key, line, message }) => {
      const isMachine = ['os', 'arch'].includes(key.at(-1) ?? '')
      return { kind: isMachine ? 'machine' : 'key', line, text: message }
    },
  )
}

type LineOf = (path: Path) => number | null

function withoutCommands({ plan }: LintContext, lineOf: LineOf): Found[] {
  const languages = plan().jobs.flatMap(({ config: { language, script } }) =>
    typeof language === 'string' && isBlank(script) ? language : [],
  )
  return [...new Set(languages)]
    .filter((language) => languagesWithoutCommands.includes(language))
    .map((language) => {
      const text =
        `jobs of the language ${quote(language)} have no default commands here, and end with an ` +
        'error: add "script"'
      return { kind: 'other', line: lineOf(['language']), text }
    })
}

/** A source such as `owner/name:file.yml` is in another repository. */
function foreignImports({ config }: LintContext, lineOf: LineOf): Found[] {
  return importsOf(config)
    .filter((source) => source.includes(':'))
    .map((source) => {
      const text =
        `${quote(source)} is read from another repository: import that repository too, and allow ` +
        'the import in its settings if it is private'
      return { kind: 'other', line: lineOf(['import']), text }
    })
}

function callsOfSudo(context: LintContext, lineOf: LineOf): Found[] {
  return allCommands(context)
    .filter(({ text }) => /(?:^|[\s;&|(])sudo\s/.test(text))
    .map(({ path }) => {
      const text =
        '"sudo" is called, and jobs have no root rights: install on the machine of the runner whatever ' +
        'this command sets up'
      return { kind: 'other', line: lineOf(path), text }
    })
}
