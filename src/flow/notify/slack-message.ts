import type { BuildState } from '../../domain/build.ts'
import { filled, type TemplateValues } from './template.ts'

/** Where a message for a chat goes. */
export interface SlackRoom {
  url: string
  channel: string | null
}

/**
 * Reads `account:token`, or the address of an incoming webhook, with `#channel` behind it. Undefined
 * for anything else.
 */
export function readSlackRoom(text: string): SlackRoom | undefined {
  const [, account, token, named] =
    /^([A-Za-z0-9-]+):([A-Za-z0-9_-]+)(#.+)?$/.exec(text.trim()) ?? []
  if (account !== undefined && token !== undefined) {
    const url = `https://${account}.slack.com/services/hooks/incoming-webhook?token=${token}`
    return { url, channel: named ?? null }
  }
  const at = text.indexOf('#')
  const url = (at === -1 ? text : text.slice(0, at)).trim()
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return undefined
  return { url, channel: at === -1 ? null : text.slice(at) }
}

const usual =
  'Build <%{build_url}|#%{build_number}> (<%{compare_url}|%{commit}>) of ' +
  '%{repository_slug}@%{branch} by %{author} %{result} in %{duration}'
const usualOfPull =
  'Build <%{build_url}|#%{build_number}> (<%{compare_url}|%{commit}>) of ' +
  '%{repository_slug}@%{branch} in PR <%{pull_request_url}|#%{pull_request_number}> by %{author} ' +
  '%{result} in %{duration}'

/** Slack shows no more. */
const longestText = 40_000

interface Message {
  state: BuildState
  values: TemplateValues
  template: readonly string[]
}

/** The body of a message, as incoming webhooks of Slack and of chats like it accept it. */
export function slackBody({ channel }: SlackRoom, { state, values, template }: Message): string {
  const isPull = values.pull_request_number !== ''
  const lines = template.length > 0 ? template : [isPull ? usualOfPull : usual]
  const safe = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, escaped(value)]),
  )
  let text = ''
  for (const line of lines) {
    const left = longestText - text.length
    if (left <= 0) break
    text += `${text === '' ? '' : '\n'}${withoutEmptyLinks(filled(line, safe, left))}`
  }
  const attachment = { fallback: text, text, color: colours[state], mrkdwn_in: ['text'] }
  return JSON.stringify({ attachments: [attachment], ...(channel === null ? {} : { channel }) })
}

/** As the chat shows it: what a commit says must neither link nor call everyone. */
function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('|', '¦')
}

/** A link to nowhere is shown as its text. */
function withoutEmptyLinks(text: string): string {
  return text.replaceAll(/<\|([^<>]*)>/g, '$1')
}

const colours = {
  created: 'warning',
  received: 'warning',
  started: 'warning',
  passed: 'good',
  failed: 'danger',
  errored: 'danger',
  canceled: 'warning',
} as const satisfies Record<BuildState, string>
