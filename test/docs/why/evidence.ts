import { stripVTControlCharacters } from 'node:util'
import { vi } from 'vitest'
import { printStory } from '../../../src/cli/print-story.ts'
import { statusKinds } from '../../../src/domain/commit/status.ts'
import type { Service } from '../../../src/service/start.ts'
import { textIn } from '../../http/pages/reading.ts'
import { toldOf } from '../../support/app-story.ts'
import type { Scene } from './scene.ts'

/** What each door says of a situation, in lines; none where it says nothing. */
export interface Evidence {
  status: string[]
  check: string[]
  api: string[]
  page: string[]
  terminal: string[]
}

/** Asks every door about the newest request of the situation. */
export async function evidenceOf(
  service: Service,
  { host, repository }: Scene,
  sha: string | null,
): Promise<Evidence> {
  const slug = `${repository.owner.login}/${repository.name}`
  const evidence = {
    status: statusKinds.flatMap((kind) =>
      (sha === null ? [] : toldOf(host, repository, sha, kind))
        .slice(-1)
        .map((told) => `${kind}: ${told}`),
    ),
    check: sha === null ? [] : host.checkRuns(repository, sha).flatMap(checkLines),
    api: await apiLines(service, slug),
    page: await pageLines(service, slug),
    terminal: await terminalLines(service),
  }
  const shown = (lines: string[]) => lines.map(withoutIds)
  const { status, check, api, page, terminal } = evidence
  return {
    ...{ status: shown(status), check: shown(check), api: shown(api), page: shown(page) },
    terminal: shown(terminal),
  }
}

type CheckRun = ReturnType<Scene['host']['checkRuns']>[number]

/** Notes aside, which the others show as well. */
function checkLines({ conclusion, output, annotations }: CheckRun): string[] {
  const told = annotations.filter(({ annotation_level }) => annotation_level !== 'notice')
  return [
    `${conclusion}: ${output.title}`,
    ...told.map(({ start_line, message }) => `line ${start_line}: ${message.split('\n', 1)[0]}`),
  ]
}

/** Ids of commits and records differ from run to run. */
function withoutIds(line: string): string {
  return line
    .replaceAll(/\b[0-9a-f]{40}\b/g, '<commit>')
    .replaceAll(/ [0-9a-f]{7}(?=[,)])/g, ' <commit>')
    .replace(/^request \d+ /, 'request ')
    .replaceAll(/(?<!pull )\brequest \d+/g, 'request <number>')
    .replaceAll(/\bwebhook [0-9a-f]{8}(?:-[0-9a-f]+)+/g, 'webhook <guid>')
    .replaceAll(/octavia-\d+/g, 'octavia')
}

interface ListedRequest {
  result: string | null
  message: string | null
  build_id: number | null
}

async function newestRequest(service: Service, slug: string): Promise<ListedRequest | undefined> {
  const answer = await fetch(`${service.localUrl}/requests?slug=${slug}`)
  const { requests = [] } = (await answer.json()) as { requests?: ListedRequest[] }
  return requests[0]
}

async function apiLines(service: Service, slug: string): Promise<string[]> {
  const request = await newestRequest(service, slug)
  if (!request) return []
  const { result, message, build_id } = request
  const line = [result ?? 'not decided', message].filter((text) => text !== null).join(': ')
  if (build_id === null) return [line]
  const answer = await fetch(`${service.localUrl}/builds/${build_id}`)
  const { build } = (await answer.json()) as { build: { state: string } }
  return [`${line}, build ${build.state}`]
}

async function pageLines(service: Service, slug: string): Promise<string[]> {
  const request = await newestRequest(service, slug)
  const repository = await page(service, `/${slug}`)
  const said = [...linesIn(repository, ['notice', 'verdict']), ...idleLines(repository)]
  if (typeof request?.build_id !== 'number') return said
  const build = await page(service, `/${slug}/builds/${request.build_id}`)
  return linesIn(build, ['notice', 'config', 'waits', 'finding', 'leftOut'])
}

/** The webhooks that changed nothing. */
function idleLines(html: string): string[] {
  const [, section = ''] = /<h2 id="idle">(.*?)<\/section>/s.exec(html) ?? []
  return [...section.matchAll(/<p><bdi>(.*?)<\/bdi><\/p>/gs)].map(([, text = '']) => textIn(text))
}

const parts = {
  notice: /<div class="notice[^"]*" role="note">(.*?)<\/div>/gs,
  verdict: /<li class="item"><.*?<strong>(.*?)<\/strong>/gs,
  config: /<ul class="config"[^>]*>(.*?)<\/ul>/gs,
  waits: /<p class="reasons">(.*?)<\/p>/gs,
  finding: /<span class="level.*?<\/span><span>(.*?)<\/span>/gs,
  leftOut: /<code class="value">(left out: .*?)<\/code>/gs,
}

/** The sentences of a page, by what they are. Each is shown once: jobs may wait for the same. */
function linesIn(html: string, wanted: (keyof typeof parts)[]): string[] {
  const found = wanted.flatMap((part) => [...html.matchAll(parts[part])].map(([, text]) => text))
  return [...new Set(found.map((text = '') => textIn(text)))]
}

async function page(service: Service, path: string): Promise<string> {
  const answer = await fetch(`${service.localUrl}${path}`, { headers: { accept: 'text/html' } })
  return answer.text()
}

/** What the terminal shows of it; webhooks only where they made no request. */
async function terminalLines(service: Service): Promise<string[]> {
  let printed = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  try {
    await printStory(service, 0, new AbortController().signal)
  } finally {
    spy.mockRestore()
  }
  const lines = stripVTControlCharacters(printed)
    .split('\n')
    .map((line) => line.replace(/^(\w+) +/, '$1 '))
  return lines.filter((line) => {
    if (line.startsWith('webhook ')) return !/created request|exists now/.test(line)
    return /^(request|finding|build|log) /.test(line)
  })
}
