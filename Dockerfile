# Two stages: the first builds the environment, the second carries only what runs.
FROM python:3.12-slim AS build
# Where a CPU build of torch can be had; empty lets uv choose it.
ARG TORCH_INDEX=""
WORKDIR /src
RUN pip install --no-cache-dir uv
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY .ci/setup.py .ci/setup.py
COPY bot bot
COPY core core
COPY adapters adapters
RUN TORCH_INDEX="$TORCH_INDEX" python .ci/setup.py --venv /opt/footnote --run-time-only

FROM python:3.12-slim
# The layout and OCR engines are linked against these.
RUN apt-get update && apt-get install -y --no-install-recommends libgl1 libglib2.0-0 libgomp1 && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 10001 footnote && mkdir /data && chown footnote /data
COPY --from=build /opt/footnote /opt/footnote
# onnxruntime from 1.29 on reports its use to its maker unless this is set before it loads.
# The local page answers the machine it runs on alone, which for a container is nobody; run is the terminal there.
ENV PATH=/opt/footnote/bin:$PATH FOOTNOTE_DATA=/data PYTHONUNBUFFERED=1 ORT_DISABLE_TELEMETRY=1 FOOTNOTE_WEB_ENABLED=off
USER footnote
VOLUME /data
HEALTHCHECK --interval=60s --timeout=20s --start-period=60s CMD ["footnote", "doctor", "--quick"]
ENTRYPOINT ["footnote"]
CMD ["run"]
