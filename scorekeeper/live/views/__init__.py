"""Views of the screens, of the pages that set them up, of the microphone, and of the streams' URLs."""
