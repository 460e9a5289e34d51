// Following a log that grows: its end stays on the screen, until someone scrolls up.
import { byId, counted } from './page-parts.js'

/**
 * @param {import('./log-view.js').LogView} view
 */
export function following(view) {
  const button = byId('follow', HTMLElement)
  let isOn = false
  let seen = 0
  let top = scrollY
  let height = document.documentElement.scrollHeight

  /** @param {boolean} on */
  function turn(on) {
    isOn = on
    seen = view.count
    button?.setAttribute('aria-pressed', String(on))
    write()
    if (on) showEnd()
  }

  function write() {
    const unseen = view.count - seen
    if (button) button.textContent = unseen > 0 && !isOn ? `Follow (${counted(unseen)})` : 'Follow'
  }

  function showEnd() {
    requestAnimationFrame(() => {
      if (isOn) byId('end', HTMLElement)?.scrollIntoView({ block: 'end' })
    })
  }

  addEventListener(
    'scroll',
    () => {
      const isShorter = document.documentElement.scrollHeight < height
      // What gets shorter, as with a fold that closes, scrolls up by itself.
      if (isOn && scrollY < top - 2 && !isShorter) turn(false)
      top = scrollY
      height = document.documentElement.scrollHeight
    },
    { passive: true },
  )
  button?.addEventListener('click', () => turn(!isOn))

  return {
    /** Lines were added. */
    grown() {
      write()
      if (isOn) showEnd()
    },
    toggle: () => button && !button.hidden && turn(!isOn),
    begin() {
      if (button) button.hidden = false
      turn(false)
    },
    /** The log has ended. */
    end() {
      turn(false)
      if (button) button.hidden = true
    },
  }
}
