import type { Report } from '../../lint/finding.ts'
import { formatCheckstyle } from '../../lint/formats/checkstyle.ts'
import { formatGithub } from '../../lint/formats/github.ts'
import { formatJson } from '../../lint/formats/json.ts'
import { formatSarif } from '../../lint/formats/sarif.ts'
import { formatText } from '../../lint/formats/text.ts'
import { readVersion } from '../../service/version.ts'

export const formatNames = ['text', 'json', 'sarif', 'github', 'checkstyle'] as const
export type FormatName = (typeof formatNames)[number]

/** The findings in a format for people or for programs. */
export function format(
  name: FormatName,
  reports: readonly Report[],
  { color, docsUrl }: { color: boolean; docsUrl?: string | undefined },
): string {
  switch (name) {
    case 'text':
      return formatText(reports, { color })
    case 'json':
      return formatJson(reports)
    case 'sarif':
      return formatSarif(reports, {
        version: readVersion(),
        ...(docsUrl === undefined ? {} : { docsUrl }),
      })
    case 'github':
      return formatGithub(reports)
    case 'checkstyle':
      return formatCheckstyle(reports)
  }
}
