# Harbormaster on Discord. docs/hosting.md shows how to run it. tests/deploy does the steps below in an empty folder.
FROM python:3.13.16-slim-bookworm AS build
WORKDIR /src
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
RUN python -m venv /venv
COPY requirements-run.lock ./
RUN /venv/bin/python -m pip install --no-cache-dir --require-hashes --only-binary=:all: -r requirements-run.lock
COPY pyproject.toml setup.py README.md LICENSE ./
COPY engine ./engine
COPY players ./players
COPY render ./render
COPY bot ./bot
RUN HARBORMASTER_COMPILED=1 /venv/bin/python -m pip install --no-cache-dir --no-deps --no-build-isolation . \
    && /venv/bin/python -m pip uninstall --yes mypy setuptools pip

FROM python:3.13.16-slim-bookworm
COPY --from=build /venv /venv
COPY deploy/healthcheck.py /healthcheck.py
COPY deploy/entrypoint.sh /entrypoint.sh
RUN install -d -o 10001 -g 10001 -m 700 /data /backups
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 HOME=/data HARBORMASTER_DATABASE=/data/harbormaster.db
WORKDIR /data
VOLUME /data
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["python", "/healthcheck.py"]
ENTRYPOINT ["sh", "/entrypoint.sh"]
CMD ["run"]
