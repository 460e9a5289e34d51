import type { ReadableFile } from '../../buildfile/read-build-file.ts'
import { advise } from '../../lint/advise.ts'
import { openContext } from '../../lint/context/open-context.ts'
import { heedComments } from '../../lint/project/ignore-comments.ts'
import { fileOfAnotherService } from '../../lint/rules/file-of-another-service.ts'
import { nothingSaid } from '../../lint/rules/nothing-said.ts'
import type { NewMessage } from './stored-message.ts'

const rules = [fileOfAnotherService, nothingSaid]
const codes = new Set(rules.map(({ code }) => code))

/**
 * The linter's advice that is shown with each build, because the build differs from what was meant: that a
 * file is one of another service, or names nothing to run. `text` is the file as written, without imports.
 */
export function wholeFileMessages(file: ReadableFile, text: string, name: string): NewMessage[] {
  const source = { name, prepared: file.prepared }
  const found = advise(openContext(file), source, rules)
  return heedComments(found, text, name)
    .findings.filter(isAboutWholeFile)
    .map(({ level, key, code, message: text, file: src, line, column }) => {
      return { level, key, code, args: {}, text, src, line, column }
    })
}

/** Whether a message of a request is such advice. */
export function isAboutWholeFile({ code }: Pick<NewMessage, 'code'>): boolean {
  return codes.has(code)
}
