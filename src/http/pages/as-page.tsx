import type { FunctionComponent } from 'preact'
import { html, withCookie } from '../core/answer.ts'
import type { Call } from '../core/endpoint.ts'
import { frameOf, streamOf } from './frame.ts'
import { noticeCookie, noticeIn } from './notice.ts'
import type { Frame } from './parts/layout.tsx'
import { renderPage } from './render-page.ts'

interface PageContext {
  frame: Frame
  now: Date
}

/** Presents records as a page. The result of the last form is shown once. */
export function asPage<Props extends Pick<PageContext, 'frame'>>(Page: FunctionComponent<Props>) {
  return (read: Omit<Props, keyof PageContext>, { ctx, viewer, request }: Call, status = 200) => {
    const notice = noticeIn(ctx.site, request.headers)
    const frame = { ...frameOf(ctx.site, viewer), notice, stream: streamOf(ctx) }
    const context = { frame, now: ctx.now() }
    const props = { ...read, ...context } as unknown as Props
    const answer = html(renderPage(<Page {...props} />), status)
    return notice === undefined ? answer : withCookie(answer, noticeCookie(ctx.site, null))
  }
}
