import { expandJobs } from '../../src/buildfile/expand/expand-jobs.ts'
import type { Load, Refusal } from '../../src/buildfile/imports/source.ts'
import type { Message } from '../../src/buildfile/messages/message.ts'
import { readBuildFile, readBuildFileWithImports } from '../../src/buildfile/read-build-file.ts'
import type { Example } from '../../src/lint/example.ts'
import { lintText } from '../../src/lint/lint-text.ts'
import { messageText } from '../../src/lint/message-text.ts'

/** What is said with one code when the jobs of a push are made. */
export function messagesOfBuild(code: string, source: string, branch: string): string[] {
  const { config } = lintText(source, { advice: false })
  return texts(code, expandJobs(config, { data: { type: 'push', branch } }).messages)
}

/** What is said with one code when what does not apply is asked for. */
export function messagesOfSupport(code: string, source: string): string[] {
  return texts(code, readBuildFile(source, { support: true }).messages)
}

/** What is said with one code when imports are read. */
export async function messagesOfImports(
  code: string,
  text: string,
  files: NonNullable<Example['imports']>,
): Promise<string[]> {
  const { messages } = await readBuildFileWithImports(text, {
    path: '.service.yml',
    repository: 'octavia/hello',
    data: { type: 'push', branch: 'main' },
    load: loadFrom(files),
  })
  return texts(code, messages)
}

function texts(code: string, messages: readonly Message[]): string[] {
  return messages.filter((message) => message.code === code).map(messageText)
}

function loadFrom(files: NonNullable<Example['imports']>): Load {
  return async ({ repository, path }) => {
    const source = repository === 'octavia/hello' ? path : `${repository}:${path}`
    const file = files[source]
    if (file === undefined) return { kind: 'missing' }
    if (typeof file === 'string') return { kind: 'loaded', text: file, source, sha: 'c0ffee' }
    const [owner = ''] = repository.split('/')
    const args = file.refused === 'invalid_ownership' ? { owner } : { repo: repository }
    return { kind: 'refused', refusal: { code: file.refused, args } as Refusal }
  }
}
