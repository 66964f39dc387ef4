/* Search from a folder: browsers start no worker from file://, so the theme's worker runs in a hidden frame there.
   The theme asks for the name IFrameWorker; the worker finds in its frame what a worker has: postMessage, importScripts. */
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      this.ready = new Promise((started) => {
        this.frame.onload = () => {
          const inside = this.frame.contentWindow
          const load = (source) =>
            new Promise((loaded, failed) => {
              const script = inside.document.createElement("script")
              Object.assign(script, { src: source, onload: loaded, onerror: failed })
              inside.document.body.append(script)
            })
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
          inside.importScripts = (...sources) =>
            sources.reduce((before, source) => before.then(() => load(source)), Promise.resolve())
          load(url).then(started)
        }
      })
      document.body.append(this.frame)
    }

    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })))
    }

    terminate() {
      this.frame.remove()
    }
  }
}
