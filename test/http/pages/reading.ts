import type { VNode } from 'preact'
import { renderPage } from '../../../src/http/pages/render-page.ts'

/** Tags as browsers read them, with nothing but attributes in double quotes. */
const tag =
  /<(?<name>\/?[a-z][a-z0-9]*|!doctype)(?<attributes>(?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*\/?>/g
const attribute = /\s+(?<name>[a-zA-Z-]+)(?:="(?<value>[^"]*)")?/g

export interface Tag {
  name: string
  attributes: Record<string, string>
}

/** All tags of a document, in their order. */
export function tagsIn(html: string): Tag[] {
  return [...html.matchAll(tag)].map(({ groups = {} }) => ({
    name: groups.name ?? '',
    attributes: Object.fromEntries(
      [...(groups.attributes ?? '').matchAll(attribute)].map(({ groups: { name, value } = {} }) => [
        name ?? '',
        decoded(value ?? ''),
      ]),
    ),
  }))
}

/** What is left without the tags, still encoded: there must be no `<` in it. */
export function withoutTags(html: string, between = ''): string {
  return html.replaceAll(tag, between)
}

/** The text that people read, with single blanks. */
export function textIn(html: string): string {
  const body = html.slice(Math.max(0, html.indexOf('<main')))
  return decoded(withoutTags(body, ' ')).replaceAll(/\s+/g, ' ').trim()
}

export function decoded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&')
}

/** Addresses that a document leads to or loads. */
export function addressesIn(html: string): string[] {
  return tagsIn(html).flatMap(({ attributes }) => attributes.href ?? attributes.src ?? [])
}

export function textOfPage<Props>(page: VNode<Props>): string {
  return textIn(renderPage(page))
}
