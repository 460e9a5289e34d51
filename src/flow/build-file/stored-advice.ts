import type { ReadableFile } from '../../buildfile/read-build-file.ts'
import { advise } from '../../lint/advise.ts'
import { openContext } from '../../lint/context/open-context.ts'
import { heedComments } from '../../lint/project/ignore-comments.ts'
import { fileOfAnotherService } from '../../lint/rules/file-of-another-service.ts'
import { nothingSaid } from '../../lint/rules/nothing-said.ts'
import { plainSecret } from '../../lint/rules/plain-secret.ts'
import { unreadableSecure } from '../../lint/rules/unreadable-secure.ts'
import type { NewMessage } from './stored-message.ts'

const aboutFile = [fileOfAnotherService, nothingSaid]
const rules = [...aboutFile, plainSecret, unreadableSecure]
const codes = new Set(rules.map(({ code }) => code))
const codesAboutFile = new Set(aboutFile.map(({ code }) => code))

/** Codes of messages that already say of a line that its secret is not encrypted. */
const aboutSecrets = new Set(['secure', 'invalid_secure'])

/** More are not stored with a request; the check and the linter show all. */
const most = 50

/**
 * The linter's advice that is shown with each build: that the build differs from what was meant, because the file
 * is one of another service or names nothing to run, and that a secret is in plain text. `text` is the file as
 * written, without imports; `messages` are those of reading it.
 */
export function storedAdvice(
  file: ReadableFile,
  text: string,
  name: string,
  messages: readonly NewMessage[],
): NewMessage[] {
  const source = { name, prepared: file.prepared }
  const found = advise(openContext(file), source, rules)
  const said = new Set(
    messages.filter(({ code }) => aboutSecrets.has(code)).map(({ line }) => line),
  )
  return heedComments(found, text, name)
    .findings.filter(({ code, line }) => codes.has(code) && !said.has(line))
    .slice(0, most)
    .map(({ level, key, code, message: text, file: src, line, column }) => {
      return { level, key, code, args: {}, text, src, line, column }
    })
}

/** Whether a message of a request is advice about the whole file. */
export function isAboutWholeFile({ code }: Pick<NewMessage, 'code'>): boolean {
  return codesAboutFile.has(code)
}
