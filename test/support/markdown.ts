import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const repository = path.resolve(import.meta.dirname, '../..')

/** A block of code in a page. */
export interface CodeBlock {
  language: string
  text: string
  /** The line of its fence, counted from 1. */
  line: number
  /** The reason of a comment `<!-- not run: reason -->` before it. */
  notRun: string | undefined
}

export function readPage(page: string): string {
  return readFileSync(path.join(repository, page), 'utf8')
}

/** All Markdown files in the top folder and below these. */
export function pagesIn(...folders: readonly string[]): string[] {
  const top = readdirSync(repository).filter((name) => name.endsWith('.md'))
  const below = folders.flatMap((folder) =>
    readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(folder, name)),
  )
  return [...top, ...below].toSorted()
}

const fence = /^( *)```(\w*)$/

export function codeBlocks(page: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: CodeBlock | undefined
  let indent = ''
  let before = ''
  for (const [index, line] of page.split('\n').entries()) {
    const [found, spaces = '', language = ''] = fence.exec(line) ?? []
    if (open && found !== undefined) {
      blocks.push(open)
      open = undefined
    } else if (open) {
      open.text += `${line.startsWith(indent) ? line.slice(indent.length) : line}\n`
    } else if (found !== undefined) {
      indent = spaces
      const notRun = /^<!-- not run: (.+) -->$/.exec(before)?.[1]
      open = { language, text: '', line: index + 1, notRun }
    }
    if (line.trim() !== '') before = line.trim()
  }
  return blocks
}

/** A page without its blocks of code, in which nothing is a heading or a link. */
function prose(page: string): string {
  let isCode = false
  const lines = page.split('\n').map((line) => {
    const isFence = /^ *```/.test(line)
    if (isFence) isCode = !isCode
    return isCode || isFence ? '' : line
  })
  return lines.join('\n')
}

/** The anchors that GitHub gives the headings of a page. */
export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of prose(page).matchAll(/^#{1,6} +(.+)$/gm)) {
    const anchor = heading
      .replaceAll(/\[(.+?)\]\(.+?\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    let count = 1
    let unique = anchor
    while (anchors.has(unique)) unique = `${anchor}-${count++}`
    anchors.add(unique)
  }
  return anchors
}

/** Where the links and pictures of a page lead; code within lines has none. */
export function linksIn(page: string): string[] {
  const text = prose(page).replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, 'code')
  const inline = text.matchAll(/\]\(<?([^)\s>]+)>?\)/g)
  const named = text.matchAll(/^\[.+?\]: +(\S+)/gm)
  return [...inline, ...named].map(([, target = '']) => target)
}
